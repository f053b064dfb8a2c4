// The address of the page after `#`: all that somebody has chosen, so that a link shows the same again.
//
// The names are short and their order is fixed. A word that this page does not know is kept out of the state, and
// `problems` says so.

import { mappingsOf } from "./code.ts";
import { OUTCOMES } from "./results.ts";
import type { Data } from "./store.ts";

export type Side = "pass" | "fail";

export interface State {
  /** What is searched for. */
  q: string;
  /** The bounds that are shown, such as 3x4; all if empty. */
  size: string;
  idiom: string;
  contains: string;
  minimal: "" | "yes" | "no";
  /** Which corpora have the test, and whether they agree. */
  among: Among;
  /** The device that `result` is about, by its label; any if empty. */
  device: string;
  /** What the test did there: a key of `OUTCOMES`. */
  result: string;
  /** The verdicts that must be pass or fail. */
  verdicts: Readonly<Record<string, Side>>;
  /** The letters of a signature, which must all be the same. */
  signature: string;
  /** The column by which the table is sorted; a `-` before it turns the order round. */
  sort: string;
  /** The id of the test that is open. */
  test: string;
  /** The verdict of the open test whose proof is shown. */
  verdict: string;
  /** The threads that have stepped in the open test, as base-36 digits. */
  run: string;
  /** The target whose code is shown, and the mapping; the usual one of the target if empty. */
  target: string;
  mapping: string;
  /** `tests` for the table and tests, `devices` for what campaigns found, `play` for the playground. See `viewOf`. */
  view: "" | "tests" | "devices" | "play";
  /** The program and the model in the playground; those of an example if empty. */
  p: string;
  m: string;
}

/**
 * "" for all tests; the place of a corpus or campaign, from 1, that has the test; `only1`, `only2` or `both`; `differ` if
 * two corpora have different verdicts; `changed` if it hung at different rates in two campaigns.
 */
export type Among = string;

export const EMPTY: State = {
  q: "",
  size: "",
  idiom: "",
  contains: "",
  minimal: "",
  among: "",
  device: "",
  result: "",
  verdicts: {},
  signature: "",
  sort: "",
  test: "",
  verdict: "",
  run: "",
  target: "",
  mapping: "",
  view: "",
  p: "",
  m: "",
};

const WORDS = [
  "view", "p", "m", "q", "size", "idiom", "contains", "minimal", "among", "device", "result", "signature", "sort", "test", "verdict", "run",
  "target", "mapping",
] as const;

/** Return the address of a state, with the `#`, or an empty text for the state in which nothing is chosen. */
export function addressOf(state: State): string {
  const found = new URLSearchParams();
  for (const word of WORDS) if (state[word] !== "") found.set(word, state[word]);
  for (const side of ["pass", "fail"] as const) {
    const names = Object.keys(state.verdicts).filter((name) => state.verdicts[name] === side);
    if (names.length) found.set(side, names.sort().join(","));
  }
  const text = found.toString();
  return text ? `#${text}` : "";
}

/** Return what the page shows. A page with campaigns begins with these; any choice of tests shows the table. */
export function viewOf(state: State, data: Data): "tests" | "devices" | "play" {
  if (state.view !== "") return state.view;
  return data.found && addressOf(state) === "" ? "devices" : "tests";
}

/** The words by which a table can be sorted: its columns. Before the label of a device stands `on`. */
export function sortable(data: Data): string[] {
  return ["id", "name", "size", ...data.verdicts, ...(data.found?.labels ?? []).map((label) => `on ${label}`)];
}

/** The sizes of all tests, the smallest first. */
export function sizesOf(data: Data): string[] {
  const order = (size: string) => size.split("x").map(Number);
  return [...new Set(data.tests.map(sizeOf))].sort((one, other) => {
    const [a, b] = [order(one), order(other)];
    return a[1]! - b[1]! || a[0]! - b[0]!;
  });
}

export function sizeOf(test: { threads: number; instructions: number }): string {
  return `${test.threads}x${test.instructions}`;
}

/** The choices of which corpora have a test, each with what it means in words. */
export function amongOf(data: Data): [Among, string][] {
  const names = data.corpora.map((corpus) => corpus.name);
  if (names.length < 2) return [];
  const found: [Among, string][] = names.map((name, place) => [`${place + 1}`, `in ${name}`]);
  if (names.length === 2) {
    const kinds = data.corpora.map(({ kind }) => kind).join();
    found.push(
      ["both", kinds === "corpus,corpus" ? "in both corpora" : "in both"],
      ["only1", `only in ${names[0]}`],
      ["only2", `only in ${names[1]}`],
    );
    if (kinds === "corpus,corpus") found.push(["differ", "with other verdicts in the other corpus"]);
  }
  if (data.found?.comparison) found.push(["changed", "with another rate of hangs in the other campaign"]);
  return found;
}

/** Return the state that an address describes, and a sentence for each part that fits nothing on this page. */
export function stateOf(address: string, data: Data): { state: State; problems: string[] } {
  const given = new URLSearchParams(address.replace(/^#/, ""));
  const state: State = { ...EMPTY, verdicts: {} };
  const problems: string[] = [];
  const verdicts: Record<string, Side> = {};

  const known = new Map<string, { isHere: (value: string) => boolean; what: string }>([
    ["test", { isHere: (value) => data.byId.has(value), what: "test" }],
    ["size", { isHere: (value) => data.tests.some((test) => sizeOf(test) === value), what: "test of the size" }],
    ["idiom", { isHere: (value) => data.tests.some((test) => test.idiom === value), what: "test that is the idiom" }],
    [
      "contains",
      {
        isHere: (value) => data.tests.some((test) => test.contains.includes(value)),
        what: "test that contains the idiom",
      },
    ],
    ["minimal", { isHere: (value) => value === "yes" || value === "no", what: "choice of minimal tests called" }],
    [
      "among",
      { isHere: (value) => amongOf(data).some(([word]) => word === value), what: "choice of corpora called" },
    ],
    [
      "signature",
      { isHere: (value) => data.tests.some((test) => test.letters === value), what: "test with the signature" },
    ],
    ["device", { isHere: (value) => data.found?.labels.includes(value) ?? false, what: "device" }],
    ["result", { isHere: (value) => data.found !== null && Object.hasOwn(OUTCOMES, value), what: "result" }],
    [
      "view",
      { isHere: (value) => value === "play" || value === "tests" || (value === "devices" && data.found !== null), what: "view" },
    ],
    ["verdict", { isHere: (value) => data.verdicts.includes(value) || given.get("view") === "play", what: "verdict" }],
    ["run", { isHere: (value) => /^[0-9a-z]{1,500}$/.test(value), what: "execution with the steps" }],
    ["target", { isHere: (value) => Object.hasOwn(data.code.targets, value), what: "target" }],
    ["mapping", { isHere: (value) => mappingsOf(data.code).includes(value), what: "mapping" }],
    ["sort", { isHere: (value) => sortable(data).includes(value.replace(/^-/, "")), what: "column" }],
  ]);
  for (const [word, value] of given) {
    if (word === "q" || word === "p" || word === "m") state[word] = value;
    else if (word === "pass" || word === "fail") {
      for (const name of value.split(",")) {
        if (data.verdicts.includes(name)) verdicts[name] = word;
        else problems.push(`This page has no verdict ${name}, which the address names.`);
      }
      continue;
    } else {
      const part = known.get(word);
      if (!part) problems.push(`This page does not know the word ${word} of the address.`);
      else if (part.isHere(value)) Object.assign(state, { [word]: value });
      else problems.push(`This page has no ${part.what} ${value}, which the address names.`);
    }
  }
  state.verdicts = verdicts;
  return { state, problems };
}
