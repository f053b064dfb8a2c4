// What the tests of the project run under Node. Nothing of this file is in the page.
//
//     node for_tests.mjs store        each line of the input is the data of a page: print what it holds, or "damaged"

import { createInterface } from "node:readline";
import { DamagedError, dataOf } from "./store.ts";

/** Return what the data of a page holds; the line has `|` in place of line ends. */
async function store(line: string): Promise<unknown> {
  try {
    const data = await dataOf(line.replaceAll("|", "\n"));
    return { corpora: data.corpora.map(({ name }) => name), tests: data.tests.map(({ id, letters }) => [id, letters]) };
  } catch (error) {
    if (error instanceof DamagedError) return "damaged";
    throw error;
  }
}

const WORK: Record<string, (line: string) => unknown> = { store };

const work = WORK[process.argv[2]!]!;
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await work(line))}\n`);
}
