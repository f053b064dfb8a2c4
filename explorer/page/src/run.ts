// What the view of a test shows: the states of a program beside a model, where an execution has come to, and the proof
// of a verdict.

import { played, type Lasso, refusal, shortestLasso } from "./lasso.ts";
import { type Expression, expressionIn, expressionOf } from "./models.ts";
import { type Form, type Product, productOf } from "./product.ts";
import type { Program } from "./program.ts";
import { type Rank, rankingOf } from "./ranking.ts";
import { type Graph, graphOf } from "./semantics.ts";

/** The proof of a verdict: a lasso if the program fails, ranks if it passes, or why there is nothing to show. */
export type Proof =
  | { readonly kind: "lasso"; readonly lasso: Lasso; readonly sentences: readonly string[] }
  | { readonly kind: "ranks"; readonly ranks: readonly Rank[]; readonly sentences: readonly string[] }
  | { readonly kind: "none"; readonly why: string };

export interface Shown {
  readonly graph: Graph;
  readonly product: Product;
  readonly proof: Proof | null;
}

const NO_MODEL = expressionOf("none");

/** Split the name of a verdict into its model and its form. The two forms of a model without forms are the same. */
export function partsOf(verdict: string): { model: string; form: Form } {
  const [, model, form] = /^(.*)\.(weak|strong)$/.exec(verdict) ?? [];
  return { model: model ?? verdict, form: (form as Form | undefined) ?? "weak" };
}

/**
 * Return the states of a program, beside a model if a verdict is chosen, and the proof of that verdict.
 *
 * `said` is what a corpus says of the verdict, `pass` or `fail`; it is empty if no corpus says anything.
 */
export function shownOf(program: Program, verdict: string, models: ReadonlyMap<string, string>, said: string): Shown {
  const graph = graphOf(program);
  if (verdict === "") return { graph, product: productOf(graph, NO_MODEL), proof: null };
  const { model, form } = partsOf(verdict);
  const expression = expressionIn(models.get(model) ?? "");
  if (!expression) {
    const why = `The model ${model} is no set expression, so this page cannot run it. “synth explain” can.`;
    return { graph, product: productOf(graph, NO_MODEL), proof: { kind: "none", why } };
  }
  const product = productOf(graph, expression);
  return { graph, product, proof: proofOf(program, product, expression, model, form, said) };
}

function proofOf(
  program: Program,
  product: Product,
  expression: Expression,
  model: string,
  form: Form,
  said: string,
): Proof {
  const ranks = rankingOf(product, form);
  const found = ranks ? "pass" : "fail";
  if (said !== "" && said !== found) {
    const why = `The corpus says “${said}” and this page finds “${found}”. One of them is wrong, so no proof is shown.`;
    return { kind: "none", why };
  }
  if (ranks) return { kind: "ranks", ranks, sentences: rankSentences(ranks, form) };
  const lasso = shortestLasso(product, form);
  if (!lasso) return { kind: "none", why: "The search for the shortest execution takes too long. “synth explain” has one." };
  const bad = refusal(lasso, program, expression, form);
  if (bad !== null) return { kind: "none", why: `The execution does not fit when it is replayed: ${bad}.` };
  return { kind: "lasso", lasso, sentences: lassoSentences(lasso, program, expression, model, form) };
}

function steps(number: number): string {
  return `${number} step${number === 1 ? "" : "s"}`;
}

function lassoSentences(lasso: Lasso, program: Program, expression: Expression, model: string, form: Form): string[] {
  const { prefix, threads } = lasso;
  const all = played(lasso, program, expression);
  const cycle = all.slice(prefix);
  const again = `${steps(threads.length - prefix)} again and again`;
  const found = [
    `The program may hang: ${prefix ? `after ${steps(prefix)}, ` : ""}${again}. There is no shorter way.`,
  ];
  const stepping = new Set(cycle.map((step) => step.thread));
  const live = cycle[0]!.live;
  for (const thread of live) {
    const owing = cycle.filter((step) => step.owed.includes(thread)).length;
    if (stepping.has(thread)) {
      if (owing) found.push(`Thread ${thread} is promised a step and steps again and again.`);
    } else if (owing === 0) {
      found.push(`Thread ${thread} starves: ${model} promises it no step in the cycle.`);
    } else {
      found.push(`Thread ${thread} starves: ${model} promises it a step in some states of the cycle, but not in all of them.`);
    }
  }
  if (live.every((thread) => stepping.has(thread))) found.push("No thread starves: each live thread steps again and again.");
  found.push(
    form === "weak"
      ? "So no promise is broken: who is promised a step all the time takes one."
      : "So no promise is broken: whenever a thread is promised a step in a state of the cycle, it takes that step at some time.",
  );
  return found;
}

function rankSentences(ranks: readonly Rank[], form: Form): string[] {
  const first = ranks[0]!.rank;
  return [
    `The program always ends: the rank is ${first} at the start and 0 where all threads have ended.`,
    form === "weak"
      ? "No step raises the rank. In each state, the named thread is promised a step until the rank falls, and its step makes it fall."
      : "In each other state, the step of the named thread is promised and lowers the rank, or every step lowers it.",
  ];
}

/** Return the number of the state to which some steps lead; null if one of the threads is not live. */
export function stateAfter(product: Product, threads: readonly number[]): number | null {
  let state = 0;
  for (const thread of threads) {
    const step = product.steps[state]!.find(([one]) => one === thread);
    if (!step) return null;
    state = step[1];
  }
  return state;
}

