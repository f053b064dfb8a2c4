// One test: what it is called, how it runs, its verdicts with their proofs, its relatives, and how to run it on devices.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { sizeOf, type State } from "../address.ts";
import { differing } from "../filter.ts";
import { reorderedIds, smallerIds } from "../normal.ts";
import { programOf, programText } from "../program.ts";
import type { Data, Test } from "../store.ts";
import { CodeView } from "./code.tsx";
import { Copy } from "./copy.tsx";
import { Order } from "./order.tsx";
import { TestResults } from "./results.tsx";
import { Run } from "./run.tsx";
import { resultOf } from "./verdicts.ts";
import { listed } from "./words.ts";

interface Props {
  data: Data;
  test: Test;
  state: State;
  onChange: (part: Partial<State>) => void;
  onClose: () => void;
}

export function TestView({ data, test, state, onChange, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current!.focus(), [test.id]);
  const program = useMemo(() => programOf(test.id), [test.id]);
  const judged = state.verdict === "" ? "" : resultOf(test, data, state.verdict);
  const said = judged === "not judged" ? "" : judged;
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
      <Run
        program={program}
        verdict={state.verdict}
        said={said}
        models={data.models}
        run={state.run}
        onRun={(run) => onChange({ run })}
        onVerdict={(verdict) => onChange({ verdict, run: "" })}
      />
      <h3>Verdicts</h3>
      <Verdicts data={data} test={test} chosen={state.verdict} onVerdict={(verdict) => onChange({ verdict, run: "" })} />
      <button type="button" onClick={() => onChange({ signature: test.letters, test: "", verdict: "", run: "" })}>
        Show the tests with the same verdicts
      </button>
      {data.found && <TestResults found={data.found} test={test.id} />}
      <Order data={data} test={test} />
      <Relatives data={data} test={test} onOpen={(id) => onChange({ test: id, verdict: "", run: "" })} />
      <h3>Text</h3>
      <Copy label="Copy the program" text={programText(program)} />{" "}
      <button
        type="button"
        onClick={() => onChange({ view: "play", p: programText(program), test: "", verdict: "", run: "" })}
      >
        Change it in the playground
      </button>
      <CodeView data={data} test={test} state={state} onChange={onChange} />
    </section>
  );
}

/** In which corpora a test is, if the page has several, and where they disagree. */
function Where({ data, test }: { data: Data; test: Test }) {
  if (data.corpora.length < 2) return null;
  const there = data.corpora.filter((_, place) => test.signatures[place] !== null).map((corpus) => corpus.name);
  const said = (verdict: string) =>
    data.corpora.map(({ name, verdicts }, place) => {
      const letter = test.signatures[place]?.[verdicts.indexOf(verdict)];
      return `${name}: ${letter === "p" ? "pass" : "fail"}`;
    });
  const other = differing(test, data).map((verdict) => `${verdict} (${said(verdict).join(", ")})`);
  return (
    <p>
      In {listed(there)}.{other.length > 0 && ` The two corpora have different verdicts for ${listed(other)}.`}
    </p>
  );
}

interface VerdictsProps {
  data: Data;
  test: Test;
  chosen: string;
  onVerdict: (verdict: string) => void;
}

function Verdicts({ data, test, chosen, onVerdict }: VerdictsProps) {
  return (
    <table class="verdicts">
      <thead>
        <tr>
          <th scope="col">verdict</th>
          <th scope="col">the test</th>
          <th scope="col">proof</th>
        </tr>
      </thead>
      <tbody>
        {data.verdicts.map((verdict) => {
          const result = resultOf(test, data, verdict);
          if (result === "not judged") return null;
          return (
            <tr key={verdict}>
              <th scope="row">{verdict}</th>
              <td>
                <span class={`verdict ${result}`}>
                  <span aria-hidden="true">{result === "pass" ? "P" : "F"}</span> {result === "pass" ? "passes" : "fails"}
                </span>
              </td>
              <td>
                <button
                  type="button"
                  aria-pressed={chosen === verdict}
                  aria-label={`${verdict}: ${result === "pass" ? "why it always ends" : "how it hangs"}`}
                  onClick={() => onVerdict(chosen === verdict ? "" : verdict)}
                >
                  {result === "pass" ? "Why it always ends" : "How it hangs"}
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface RelativesProps {
  data: Data;
  test: Test;
  onOpen: (id: string) => void;
}

/** Tests of this page that are much like this one. */
function Relatives({ data, test, onOpen }: RelativesProps) {
  const kinds = useMemo(() => {
    const program = programOf(test.id);
    const here = (ids: Iterable<string>) => [...ids].flatMap((id) => data.byId.get(id) ?? []);
    const alike = test.behaviour === "" ? [] : data.tests.filter((one) => one !== test && one.behaviour === test.behaviour);
    return [
      { title: "The same threads in another order", tests: here(reorderedIds(program)) },
      { title: "One part smaller", tests: here(smallerIds(program)) },
      { title: "No model tells them apart from this one", tests: alike },
    ].filter(({ tests }) => tests.length);
  }, [data, test]);
  return (
    <>
      <h3>Relatives</h3>
      {kinds.length === 0 && <p>No other test of this page is a relative of this one.</p>}
      {kinds.map(({ title, tests }) => (
        <div key={title}>
          <p>{title}:</p>
          <ul>
            {tests.slice(0, 12).map((one) => (
              <li key={one.id}>
                <button type="button" class="link" onClick={() => onOpen(one.id)}>
                  {one.name}
                </button>{" "}
                <span class="id">{one.id}</span>
                {one.letters === test.letters ? ", with the same verdicts" : ""}
              </li>
            ))}
            {tests.length > 12 && <li>and {tests.length - 12} more</li>}
          </ul>
        </div>
      ))}
    </>
  );
}
