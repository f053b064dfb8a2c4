// What the tests of the project run under Node. Nothing of this file is in the page.
//
//     node for_tests.mjs store               for each line, the data of a page: what it holds, or "damaged"
//     node for_tests.mjs states              for each id: its states and steps
//     node for_tests.mjs proofs MODEL...     for each id: for each model and form, a lasso or a ranking
//     node for_tests.mjs verdicts MODEL...   for each id: a letter for each model and form
//     node for_tests.mjs code                for the first line, the data of code: null. For each other line, which is in
//                                            JSON an id, a target and a mapping: the code
//     node for_tests.mjs texts               for each text, in JSON: the program written out, or what is wrong
//
// MODEL is a set expression.

import { createInterface } from "node:readline";
import { type Code, codeOf } from "./code.ts";
import { refusal, shortestLasso } from "./lasso.ts";
import { expressionOf } from "./models.ts";
import { failingSets, productOf } from "./product.ts";
import { programOf, writtenOut } from "./program.ts";
import { rankingOf } from "./ranking.ts";
import { graphOf } from "./semantics.ts";
import { DamagedError, dataOf } from "./store.ts";
import { programIn, TextError } from "./text.ts";

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

const models = process.argv.slice(3).map(expressionOf);
const FORMS = ["weak", "strong"] as const;

function verdicts(id: string): string {
  const graph = graphOf(programOf(id));
  return models
    .map((model) => productOf(graph, model))
    .flatMap((product) => FORMS.map((form) => (failingSets(product, form).length ? "f" : "p")))
    .join("");
}

/** Return for each model and form [prefix, threads] of a lasso, or [rank, helper] of each state. */
function proofs(id: string): unknown {
  const program = programOf(id);
  const graph = graphOf(program);
  return models.flatMap((model) => {
    const product = productOf(graph, model);
    return FORMS.map((form) => {
      const ranks = rankingOf(product, form);
      if (ranks) return { ranks: ranks.map(({ rank, helper }) => [rank, helper]) };
      const lasso = shortestLasso(product, form)!;
      return { lasso: [lasso.prefix, lasso.threads], refusal: refusal(lasso, program, model, form) };
    });
  });
}

function states(id: string): unknown {
  const graph = graphOf(programOf(id));
  return graph.states.map(({ memory, pcs }, number) => [memory, pcs, graph.steps[number]]);
}

function texts(line: string): unknown {
  try {
    return { program: writtenOut(programIn(JSON.parse(line) as string)) };
  } catch (error) {
    if (error instanceof TextError) return { fault: error.message };
    throw error;
  }
}

let given: Code | null = null;

function code(line: string): unknown {
  const found = JSON.parse(line) as Code | [string, string, string];
  if (Array.isArray(found)) return codeOf(given!, ...found);
  given = found;
  return null;
}

const WORK: Record<string, (line: string) => unknown> = { store, states, verdicts, proofs, code, texts };

const work = WORK[process.argv[2]!]!;
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await work(line))}\n`);
}
