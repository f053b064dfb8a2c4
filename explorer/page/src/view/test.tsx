// One test: what it is called, its program, and its verdicts.

import { useEffect, useRef } from "preact/hooks";
import { sizeOf } from "../address.ts";
import { differing } from "../filter.ts";
import { instructionKind, instructionText, programOf } from "../program.ts";
import type { Data, Test } from "../store.ts";
import { cellOf, columnsOf } from "./verdicts.ts";
import { listed } from "./words.ts";

interface Props {
  data: Data;
  test: Test;
  onClose: () => void;
  onSignature: (letters: string) => void;
}

export function TestView({ data, test, onClose, onSignature }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current!.focus(), [test.id]);
  const facts = [
    sizeOf(test),
    ...(test.idiom ? [`is the idiom ${test.idiom}`] : []),
    ...(test.contains.length ? [`contains ${listed(test.contains)}`] : []),
    ...(test.minimal === null ? [] : [test.minimal ? "minimal" : "not minimal"]),
    ...(test.aliases.length ? [`also called ${listed(test.aliases)}`] : []),
  ];
  return (
    <section class="test" aria-labelledby="test-name">
      <button type="button" class="back" onClick={onClose}>
        Back to the table
      </button>
      <h2 id="test-name" tabIndex={-1} ref={heading}>
        {test.name}
      </h2>
      <p class="id">{test.id}</p>
      <p>{facts.join("; ")}</p>
      <Where data={data} test={test} />
      <h3>Program</h3>
      <ProgramText id={test.id} />
      <h3>Verdicts</h3>
      <Verdicts data={data} test={test} />
      <button type="button" onClick={() => onSignature(test.letters)}>
        Show the tests with the same verdicts
      </button>
    </section>
  );
}

/** In which corpora a test is, if the page has several, and where they disagree. */
function Where({ data, test }: { data: Data; test: Test }) {
  if (data.corpora.length < 2) return null;
  const there = data.corpora.filter((_, place) => test.signatures[place] !== null).map((corpus) => corpus.name);
  const other = differing(test, data);
  return (
    <p>
      In {listed(there)}.{other.length > 0 && ` The two corpora have different verdicts for ${listed(other)}.`}
    </p>
  );
}

function ProgramText({ id }: { id: string }) {
  return (
    <div class="program">
      {programOf(id).map((thread, tid) => (
        <table key={tid}>
          <caption>THREAD {tid}</caption>
          <tbody>
            {thread.map((_, pc) => (
              <tr key={pc}>
                <td>
                  <code>
                    {pc}: {instructionText(thread, pc)}
                  </code>
                </td>
                <td class="kind">{instructionKind(thread, pc)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function Verdicts({ data, test }: { data: Data; test: Test }) {
  return (
    <table class="verdicts">
      <thead>
        <tr>
          <th scope="col">model</th>
          <th scope="col">the test</th>
        </tr>
      </thead>
      <tbody>
        {columnsOf(data).map((column) => {
          const cell = cellOf(test.letters, column);
          return (
            <tr key={column.model}>
              <th scope="row">{column.model}</th>
              <td class={`verdict ${cell.kind}`}>
                <span aria-hidden="true">{cell.letter}</span> {cell.words}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
