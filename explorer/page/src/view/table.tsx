// The table of tests. Only the rows that can be seen, and a few around them, are in the document.
//
// The table is one tab stop. The keyboard moves an active row, and `aria-activedescendant` names it. So the focus stays
// on the table itself, and is not lost when a row scrolls out of sight and leaves the document.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { sizeOf } from "../address.ts";
import { type Cell, cellsOf, type Found, hungText, intervalText, worstOf } from "../results.ts";
import type { Data, Test } from "../store.ts";
import { type Column, cellOf } from "./verdicts.ts";
import { count } from "./words.ts";

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
  const hasMinimal = useMemo(() => data.tests.some((test) => test.minimal !== null), [data]);
  const devices = useMemo(() => (data.found ? devicesOf(data.found) : []), [data]);

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
    ...devices.flatMap(({ label, isSuspected }) => [
      { name: `on ${label}`, text: label, title: `${label}: the cell of the test that hung most often, and its rate (95 %)` },
      ...(isSuspected ? [{ name: "", text: "suspected", title: `${label}: suspected hangs` }] : []),
    ]),
    { name: "size", text: "size", title: "threads x instructions" },
    { name: "name", text: "name" },
    ...(hasMinimal ? [{ name: "", text: "minimal" }] : []),
    { name: "", text: "idiom" },
  ];
  // In rem: the least width of each column, and how much of the space that is left it gets.
  const widths: (readonly [least: number, share: number])[] = [
    [10.5, 2],
    ...columns.map(({ model }) => [Math.max(4.6, 0.68 * model.length + 1.4), 1] as const),
    ...devices.flatMap(({ isSuspected }) => (isSuspected ? [[13, 2] as const, [6, 0] as const] : [[13, 2] as const])),
    [3.6, 0],
    [11, 4],
    ...(hasMinimal ? [[4.8, 0] as const] : []),
    [8, 2],
  ];
  const template = widths.map(([least, share]) => (share ? `minmax(${least}rem, ${share}fr)` : `${least}rem`)).join(" ");
  const least = `${widths.reduce((sum, [one]) => sum + one, 0)}rem`;

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
            devices={devices}
            found={data.found}
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
  devices: readonly DeviceColumn[];
  found: Found | null;
  isActive: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

function Row({ test, row, columns, hasMinimal, devices, found, isActive, isOpen, onOpen }: RowProps) {
  const cells: { class: string; title?: string; content: ComponentChildren }[] = [
    { class: "id", content: test.id },
    ...columns.map((column) => {
      const { kind, letter, words } = cellOf(test.letters, column);
      const content = [
        <span key="sign" aria-hidden="true">
          {letter}
        </span>,
        <span key="words" class="unseen">
          {words}
        </span>,
      ];
      return { class: `verdict ${kind}`, title: `${column.model}: ${words}`, content };
    }),
    ...devices.flatMap(({ label, isSuspected }) => deviceCells(cellsOf(found!, test.id, label), label, isSuspected)),
    { class: "", content: sizeOf(test) },
    { class: "", content: test.name },
    ...(hasMinimal ? [{ class: "", content: test.minimal === null ? "" : test.minimal ? "yes" : "no" }] : []),
    { class: "", content: test.idiom },
  ];
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
      {cells.map(({ class: kind, title, content }, place) => (
        <div key={place} role="gridcell" aria-colindex={place + 1} class={kind} title={title}>
          {content}
        </div>
      ))}
    </div>
  );
}

/** Return what a row says of a device: the cell that hung most often, how many have no result, and suspected hangs. */
function deviceCells(cells: readonly Cell[], label: string, isSuspected: boolean) {
  const worst = worstOf(cells);
  const unknown = worst?.counted ? cells.filter((cell) => !cell.counted).length : 0;
  const others = unknown ? `${count(unknown, "cell")} without a result` : "";
  const said = worst ? [hungText(worst), intervalText(worst), others].filter(Boolean).join(", ") : "not run";
  const hung = {
    class: `rate${worst && worst.hung > 0 ? " hung" : ""}`,
    title: worst ? [`${label}, ${worst.setting}`, others].filter(Boolean).join("; ") : undefined,
    content: said,
  };
  const suspected = cells.reduce((sum, cell) => sum + cell.suspected, 0);
  return isSuspected ? [hung, { class: "rate", content: suspected || "" }] : [hung];
}

/** A device, and whether it has suspected hangs, which have a column of their own. */
interface DeviceColumn {
  readonly label: string;
  readonly isSuspected: boolean;
}

function devicesOf(found: Found): DeviceColumn[] {
  return found.labels.map((label, place) => ({
    label,
    isSuspected: found.cells.some((cell) => cell.device === place && cell.suspected > 0),
  }));
}

/** The verdict by which a column of the matrix is sorted. */
function sortOf(column: Column, data: Data): string {
  return data.verdicts[column.weak < 0 ? column.strong : column.weak] ?? "";
}
