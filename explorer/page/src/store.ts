// The data of the page: reading it, checking its digest, and joining the corpora to one list of tests.
//
// The data stands in the page as text. Its first line is the SHA-256 of all that follows. Each further line is one
// block: a word that says what the block is, and JSON, compressed by DEFLATE, in base64. The digest covers the text
// itself, so that no changed byte goes unnoticed. `synth_explorer/page_data.py` writes this form.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Code } from "./code.ts";
import { type Found, foundIn, type Results } from "./results.ts";

/** The form of the data that this page reads. */
export const FORMAT = 1;

/** One corpus as it is packed, or the tests of a campaign. `ids`, `names` and `signature` have one entry for each test, in the order of ids. */
export interface Packed {
  format: number;
  kind: "corpus" | "campaign";
  name: string;
  question: string;
  complete: boolean;
  incomplete: string;
  without: string[];
  rules: string[];
  models: Record<string, string>;
  verdicts: string[];
  signatures: string[];
  signature: number[];
  ids: string;
  names: string;
  idioms: Record<string, number[]>;
  contains: Record<string, number[]>;
  minimal: number[] | null;
  behaviour: number[] | null;
  aliases: Record<string, string[]>;
  order: [number, number][];
}

/** A test, with what each corpus says of it: `signatures[c]` is its signature in corpus c, or null if it is not there. */
export interface Test {
  readonly id: string;
  readonly name: string;
  readonly threads: number;
  readonly instructions: number;
  readonly idiom: string;
  readonly contains: readonly string[];
  readonly aliases: readonly string[];
  readonly minimal: boolean | null;
  readonly behaviour: string;
  readonly signatures: readonly (string | null)[];
  /** A letter for each verdict of the page: p (pass), f (fail) or - (not judged). */
  readonly letters: string;
}

export interface Corpus {
  readonly kind: "corpus" | "campaign";
  readonly name: string;
  readonly question: string;
  readonly complete: boolean;
  readonly incomplete: string;
  readonly without: readonly string[];
  readonly models: Readonly<Record<string, string>>;
  readonly verdicts: readonly string[];
  readonly tests: number;
}

/** All that the page has been given. */
export interface Data {
  readonly corpora: readonly Corpus[];
  /** The names of all verdicts, in the order of the first corpus that has them. */
  readonly verdicts: readonly string[];
  /** The definition of each model. */
  readonly models: ReadonlyMap<string, string>;
  readonly tests: readonly Test[];
  readonly byId: ReadonlyMap<string, Test>;
  /** Pairs of places of verdicts: the first is at most as fair as the second. */
  readonly order: readonly (readonly [number, number])[];
  /** Everything of which the page makes the code of tests. */
  readonly code: Code;
  /** What the campaigns of the page found, if it has some. */
  readonly found: Found | null;
}

/** Says that the data is not as it was written. */
export class DamagedError extends Error {}

/** Return the blocks of the data, after checking the digest: the word and the compressed text of each. */
export function blocksOf(text: string): { word: string; text: string }[] {
  const end = text.indexOf("\n");
  const digest = text.slice(0, end);
  const rest = text.slice(end + 1);
  if (end < 0 || bytesToHex(sha256(utf8ToBytes(rest))) !== digest) throw new DamagedError("the digest differs");
  return rest
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const space = line.indexOf(" ");
      return { word: line.slice(0, space), text: line.slice(space + 1) };
    });
}

/** Return what a block holds. */
export async function unpacked(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Read the corpora of the page. Throws a DamagedError if anything is not as it was written. */
export async function dataOf(text: string): Promise<Data> {
  const blocks = blocksOf(text);
  try {
    const read = (word: string) =>
      Promise.all(blocks.filter((block) => block.word === word).map((block) => unpacked(block.text)));
    const all = Promise.all([read("corpus"), read("results"), read("code")]);
    const [packed, results, codes] = (await all) as [Packed[], Results[], Code[]];
    return joined(packed, results[0], codes[0]!);
  } catch (error) {
    throw new DamagedError(String(error));
  }
}

/** Join corpora to one list of tests, sorted by id. `results` are what campaigns found. `code` makes code of tests. */
export function joined(packed: readonly Packed[], results: Results | undefined, code: Code): Data {
  const verdicts = [...new Set(packed.flatMap((one) => one.verdicts))];
  const models = new Map([...packed].reverse().flatMap((one) => Object.entries(one.models)));
  const lists = packed.map((one, place) => testsOf(one, place, packed.length, verdicts));
  const byId = new Map<string, Test>();
  for (const list of lists) {
    for (const test of list) {
      const known = byId.get(test.id);
      byId.set(test.id, known ? both(known, test) : test);
    }
  }
  const tests = [...byId.values()];
  if (packed.length > 1) tests.sort((one, other) => (one.id < other.id ? -1 : 1));
  const corpora = packed.map((one, place) => ({ ...one, tests: lists[place]!.length }));
  const order = packed.flatMap((one) =>
    one.order.map((pair) => pair.map((place) => verdicts.indexOf(one.verdicts[place]!)) as [number, number]),
  );
  const found = results ? foundIn(results) : null;
  return { corpora, verdicts, models, tests, byId, order, code, found };
}

function testsOf(one: Packed, place: number, corpora: number, verdicts: readonly string[]): Test[] {
  const ids = one.ids === "" ? [] : one.ids.split("\n");
  const names = one.names === "" ? [] : one.names.split("\n");
  const short = [names, one.signature, one.minimal ?? ids, one.behaviour ?? ids].some((column) => column.length !== ids.length);
  if (one.format !== FORMAT || short) throw new DamagedError("the columns have different lengths");
  // Tests with the same signature share these texts.
  const signatures = one.signatures.map((signature) => {
    const found: (string | null)[] = Array<null>(corpora).fill(null);
    found[place] = signature;
    return found;
  });
  const letters = one.signatures.map((signature) =>
    verdicts.map((verdict) => signature[one.verdicts.indexOf(verdict)] ?? "-").join(""),
  );
  const idioms = turned(one.idioms);
  const contains = turned(one.contains);
  return ids.map((id, row) => {
    const threads = countOf(id, "-") + 1;
    const number = one.signature[row]!;
    if (letters[number] === undefined) throw new DamagedError(`the signature ${number} is missing`);
    return {
      id,
      name: names[row]!,
      threads,
      instructions: (id.length - threads + 1) / 4,
      idiom: idioms.get(row)?.[0] ?? "",
      contains: contains.get(row) ?? NOTHING,
      aliases: one.aliases[row] ?? NOTHING,
      minimal: one.minimal ? [false, true, null][one.minimal[row]!]! : null,
      behaviour: one.behaviour && one.behaviour[row]! >= 0 ? `${place}.${one.behaviour[row]}` : "",
      signatures: signatures[number]!,
      letters: letters[number]!,
    };
  });
}

const NOTHING: readonly string[] = [];

/** Return the words of each row, given the rows of each word. */
function turned(rows: Record<string, number[]>): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [word, numbers] of Object.entries(rows)) {
    for (const row of numbers) found.set(row, [...(found.get(row) ?? []), word]);
  }
  return found;
}

/** Return a test that two corpora have. What the first one says of it comes first. */
function both(one: Test, other: Test): Test {
  return {
    ...one,
    idiom: one.idiom || other.idiom,
    contains: one.contains.length ? one.contains : other.contains,
    aliases: [...new Set([...one.aliases, ...other.aliases])],
    minimal: one.minimal ?? other.minimal,
    behaviour: one.behaviour || other.behaviour,
    signatures: one.signatures.map((signature, place) => signature ?? other.signatures[place]!),
    letters: [...one.letters].map((letter, place) => (letter === "-" ? other.letters[place]! : letter)).join(""),
  };
}

function countOf(text: string, letter: string): number {
  let found = 0;
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) found += 1;
  return found;
}
