// The table of tests. Only the rows that can be seen, and a few around them, are in the document.
//
// The table is one tab stop. The keyboard moves an active row, and `aria-activedescendant` names it. So the focus stays
// on the table itself, and is not lost when a row scrolls out of sight and leaves the document.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { sizeOf } from "../address.ts";
import type { Data, Test } from "../store.ts";
import { type Column, cellOf } from "./verdicts.ts";

const ROW = 30;
/** Rows above and below those that can be seen. */
const AROUND = 10;
const MOST_ROWS = 100;

interface Props {
  data: Data;
  tests: readonly Test[];
  columns: readonly Column[];
  sort: string;
  open: string;
  onSort: (column: string) => void;
  onOpen: (id: string) => void;
}

export function Table({ data, tests, columns, sort, open, onSort, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [activeId, setActiveId] = useState("");
  const hasMinimal = data.tests.some((test) => test.minimal !== null);

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setHeight(element.clientHeight);
    const seen = new ResizeObserver(measure);
    seen.observe(element);
    measure();
    return () => seen.disconnect();
  }, []);
  // A new choice of tests begins at its start.
  useEffect(() => {
    box.current!.scrollTop = 0;
  }, [tests]);

  const active = tests.findIndex((test) => test.id === (activeId || open));
  const rows = Math.min(MOST_ROWS, Math.ceil(height / ROW) + 2 * AROUND);
  const first = Math.max(0, Math.min(Math.floor(top / ROW) - AROUND, tests.length - rows));
  const shown = tests.slice(first, first + rows);
  const isShown = active >= first && active < first + rows;

  function move(to: number) {
    const row = Math.max(0, Math.min(tests.length - 1, to));
    const test = tests[row];
    if (!test) return;
    setActiveId(test.id);
    const element = box.current!;
    const space = element.clientHeight - 2 * ROW; // the row of headers covers the first row
    if (row * ROW < element.scrollTop) element.scrollTop = row * ROW;
    else if (row * ROW > element.scrollTop + space) element.scrollTop = row * ROW - space;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(height / ROW) - 2);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: Math.max(0, active - 1),
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: tests.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter" || event.key === " ") {
      if (tests[active]) onOpen(tests[active].id);
    } else return;
    event.preventDefault();
  }

  const headers: { name: string; text: string; title?: string }[] = [
    { name: "id", text: "id" },
    ...columns.map((column) => ({ name: sortOf(column, data), text: column.model })),
    { name: "size", text: "size", title: "threads x instructions" },
    { name: "name", text: "name" },
    ...(hasMinimal ? [{ name: "", text: "minimal" }] : []),
    { name: "", text: "idiom" },
  ];
  const verdicts = columns.length ? `repeat(${columns.length}, minmax(4.6rem, 1fr))` : "";
  const template = `minmax(10.5rem, 2fr) ${verdicts} 3.4rem minmax(11rem, 2fr)${hasMinimal ? " 4.6rem" : ""} minmax(8rem, 2fr)`;
  const least = `${10.5 + 4.6 * columns.length + 3.4 + 11 + (hasMinimal ? 4.6 : 0) + 8}rem`;

  return (
    <div
      class="grid"
      role="grid"
      aria-label="Tests"
      aria-rowcount={tests.length + 1}
      aria-colcount={headers.length}
      aria-activedescendant={isShown ? `row-${active}` : undefined}
      aria-describedby="keys"
      tabIndex={0}
      ref={box}
      style={{ "--columns": template, "--least": least }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocus={() => active < 0 && tests[0] && setActiveId(tests[0].id)}
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          {headers.map(({ name, text, title }, place) => (
            <div
              key={place}
              role="columnheader"
              aria-colindex={place + 1}
              title={title}
              aria-sort={name === "" ? undefined : sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none"}
              class={name === "" ? "" : "sorts"}
              onClick={() => name !== "" && onSort(sort === name ? `-${name}` : name)}
            >
              {text}
              {sort === name && name !== "" ? " ▲" : sort === `-${name}` ? " ▼" : ""}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: `${tests.length * ROW}px` }}>
        {shown.map((test, place) => (
          <Row
            key={test.id}
            test={test}
            row={first + place}
            columns={columns}
            hasMinimal={hasMinimal}
            isActive={first + place === active}
            isOpen={test.id === open}
            onOpen={() => {
              setActiveId(test.id);
              onOpen(test.id);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  test: Test;
  row: number;
  columns: readonly Column[];
  hasMinimal: boolean;
  isActive: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

function Row({ test, row, columns, hasMinimal, isActive, isOpen, onOpen }: RowProps) {
  const after = columns.length + 2;
  return (
    <div
      role="row"
      id={`row-${row}`}
      class={`row${isActive ? " active" : ""}`}
      aria-rowindex={row + 2}
      aria-selected={isOpen}
      style={{ top: `${row * ROW}px` }}
      onClick={onOpen}
    >
      <div role="gridcell" aria-colindex={1} class="id">
        {test.id}
      </div>
      {columns.map((column, place) => {
        const cell = cellOf(test.letters, column);
        return (
          <div
            key={column.model}
            role="gridcell"
            aria-colindex={place + 2}
            class={`verdict ${cell.kind}`}
            title={`${column.model}: ${cell.words}`}
          >
            <span aria-hidden="true">{cell.letter}</span>
            <span class="unseen">{cell.words}</span>
          </div>
        );
      })}
      <div role="gridcell" aria-colindex={after}>
        {sizeOf(test)}
      </div>
      <div role="gridcell" aria-colindex={after + 1}>
        {test.name}
      </div>
      {hasMinimal && (
        <div role="gridcell" aria-colindex={after + 2}>
          {test.minimal === null ? "" : test.minimal ? "yes" : "no"}
        </div>
      )}
      <div role="gridcell" aria-colindex={after + 2 + Number(hasMinimal)}>
        {test.idiom}
      </div>
    </div>
  );
}

/** The verdict by which a column of the matrix is sorted. */
function sortOf(column: Column, data: Data): string {
  return data.verdicts[column.weak < 0 ? column.strong : column.weak] ?? "";
}
