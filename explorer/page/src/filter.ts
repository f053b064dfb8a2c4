// Which tests are shown, and in which order.

import { sizeOf, type State } from "./address.ts";
import { programOf, threadLines } from "./program.ts";
import { cellsOf, outcomeOf, worstOf } from "./results.ts";
import type { Data, Test } from "./store.ts";

/** Return the tests that fit a state, in the order that it asks for. */
export function shownTests(data: Data, state: State): Test[] {
  const wanted = Object.entries(state.verdicts).map(
    ([name, side]) => [data.verdicts.indexOf(name), side[0]!] as const,
  );
  const hasText = searching(state.q);
  const found = data.tests.filter(
    (test) =>
      wanted.every(([place, letter]) => test.letters[place] === letter) &&
      (state.signature === "" || test.letters === state.signature) &&
      (state.size === "" || sizeOf(test) === state.size) &&
      (state.idiom === "" || test.idiom === state.idiom) &&
      (state.contains === "" || test.contains.includes(state.contains)) &&
      (state.minimal === "" || test.minimal === (state.minimal === "yes")) &&
      isAmong(test, state.among, data) &&
      did(test, state, data) &&
      hasText(test),
  );
  return sorted(found, state.sort, data);
}

/** Return whether a test did on a device what was chosen. A device alone means the tests that ran on it. */
function did(test: Test, { device, result }: State, data: Data): boolean {
  if (!data.found || (device === "" && result === "")) return true;
  const cells = cellsOf(data.found, test.id, device);
  return result === "" ? cells.length > 0 : outcomeOf(cells) === result;
}

/** Return whether a test is in the corpora that were chosen. */
function isAmong(test: Test, among: string, data: Data): boolean {
  const [one, other] = test.signatures;
  switch (among) {
    case "":
      return true;
    case "both":
      return one !== null && other !== null;
    case "only1":
      return other === null;
    case "only2":
      return one === null;
    case "changed":
      return data.found?.changed.has(test.id) ?? false;
    case "differ":
      return differing(test, data).length > 0;
    default:
      return test.signatures[Number(among) - 1] !== null;
  }
}

/** Return the verdicts that two corpora judge differently. */
export function differing(test: Test, data: Data): string[] {
  const [one, other] = test.signatures;
  const [first, second] = data.corpora;
  if (!one || !other || !first || !second) return [];
  return first.verdicts.filter((verdict, place) => {
    const there = second.verdicts.indexOf(verdict);
    return there >= 0 && one[place] !== other[there];
  });
}

/** Return a function that says whether a test has a text in its id, its names or its program. */
function searching(text: string): (test: Test) => boolean {
  const wanted = plain(text);
  if (wanted === "") return () => true;
  // Tests share most of their threads, so each thread is written and searched only once.
  const threads = new Map<string, boolean>();
  const inThread = (digits: string): boolean => {
    let found = threads.get(digits);
    if (found === undefined) {
      found = plain(threadLines(programOf(digits)[0]!).join("\n")).includes(wanted);
      threads.set(digits, found);
    }
    return found;
  };
  return (test) =>
    test.id.includes(wanted) ||
    test.name.toLowerCase().includes(wanted) ||
    test.aliases.some((alias) => plain(alias).includes(wanted)) ||
    test.id.split("-").some(inThread);
}

/** Return a text as it is searched: small letters, and no spaces, because people write programs with and without. */
function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, "");
}

function sorted(tests: Test[], sort: string, data: Data): Test[] {
  const down = sort.startsWith("-");
  const column = down ? sort.slice(1) : sort;
  if (column === "" || column === "id") return down ? tests.reverse() : tests;
  const place = data.verdicts.indexOf(column);
  const rate = (test: Test) => {
    const worst = data.found && worstOf(cellsOf(data.found, test.id, column.slice("on ".length)));
    return worst?.counted ? worst.hung / worst.counted : -1;
  };
  const key = (test: Test): string | number =>
    column === "name"
      ? test.name
      : column === "size"
        ? test.instructions * 100 + test.threads
        : column.startsWith("on ")
          ? rate(test)
          : test.letters[place]!;
  const keyed = tests.map((test) => ({ test, key: key(test) }));
  // Tests with equal keys stay in the order of their ids, because sorting is stable.
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (down ? -1 : 1));
  return keyed.map(({ test }) => test);
}
