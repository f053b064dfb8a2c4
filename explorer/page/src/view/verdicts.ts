// How verdicts are shown: a column for each model, and a sign, a letter and a word for what a test does under it.

import type { Data, Test } from "../store.ts";

/** A column of the matrix: a model, and the places of its verdicts among those of the page (-1 if it has none). */
export interface Column {
  readonly model: string;
  readonly weak: number;
  readonly strong: number;
}

export interface Cell {
  readonly kind: "pass" | "strong" | "weak" | "fail" | "none";
  readonly letter: string;
  readonly words: string;
  /** What the letter means, for somebody who sees it for the first time. */
  readonly meaning: string;
}

const CELLS: Readonly<Record<Cell["kind"], Cell>> = {
  pass: { kind: "pass", letter: "P", words: "passes", meaning: "the test always ends" },
  strong: { kind: "strong", letter: "S", words: "passes only the strong form", meaning: "it always ends, but only under the strong form" },
  weak: { kind: "weak", letter: "W", words: "passes only the weak form", meaning: "it always ends, but only under the weak form" },
  fail: { kind: "fail", letter: "F", words: "fails", meaning: "it may hang" },
  none: { kind: "none", letter: "–", words: "not judged", meaning: "nobody has judged it" },
};

/** What the letters of the matrix mean. */
export const LEGEND: readonly Cell[] = [CELLS.pass, CELLS.strong, CELLS.fail];

/** Return the columns of the matrix. A verdict without a form, such as `unfair`, has a column of its own. */
export function columnsOf(data: Data): Column[] {
  const found = new Map<string, { weak: number; strong: number }>();
  data.verdicts.forEach((verdict, place) => {
    const [, model, form] = /^(.*)\.(weak|strong)$/.exec(verdict) ?? [];
    const column = found.get(model ?? verdict) ?? { weak: -1, strong: -1 };
    if (form !== "strong") column.weak = place;
    if (form !== "weak") column.strong = place;
    found.set(model ?? verdict, column);
  });
  return [...found].map(([model, column]) => ({ model, ...column }));
}

/** Return what a test does under a model, given its letters. */
export function cellOf(letters: string, { weak, strong }: Column): Cell {
  const one = letters[weak < 0 ? strong : weak] ?? "-";
  const other = letters[strong < 0 ? weak : strong] ?? "-";
  if (one === "-" && other === "-") return CELLS.none;
  if (one === other || other === "-") return one === "p" ? CELLS.pass : CELLS.fail;
  if (one === "-") return other === "p" ? CELLS.pass : CELLS.fail;
  return other === "p" ? CELLS.strong : CELLS.weak;
}

/** Return whether a test passes a verdict, in words. */
export function resultOf(test: Test, data: Data, verdict: string): "pass" | "fail" | "not judged" {
  const letter = test.letters[data.verdicts.indexOf(verdict)];
  return letter === "p" ? "pass" : letter === "f" ? "fail" : "not judged";
}
