// A program and a model side by side, and the verdicts (docs/understand/semantics.md, sections 4 and 5).
//
// The states have the numbers of a breadth-first search, as in the core (`synth_checker/certificates/product.py`).

import { evaluated, type Expression, mentionsStepped } from "./models.ts";
import { type Graph, LimitError, MOST_STATES, type Step } from "./semantics.ts";

export type Form = "weak" | "strong";

export interface Product {
  /** The state of the program, and the threads that have stepped if the model looks at that. */
  readonly states: readonly (readonly [program: number, stepped: number])[];
  /** The fair set of each state. */
  readonly fair: readonly number[];
  readonly steps: readonly (readonly Step[])[];
}

/** Return the product of a program, given by its states, and a model. */
export function productOf(graph: Graph, model: Expression): Product {
  const looks = mentionsStepped(model);
  const all = (1 << graph.steps[0]!.length) - 1; // every thread is live at the start
  const live = graph.steps.map((row) => row.reduce((set, [thread]) => set | (1 << thread), 0));
  const states: [number, number][] = [[0, 0]];
  const numbers = new Map([["0,0", 0]]);
  const fair: number[] = [];
  const steps: Step[][] = [];
  for (const [here, stepped] of states) {
    // The list grows while it is read.
    fair.push(live[here]! & evaluated(model, live[here]!, stepped, all));
    steps.push(
      graph.steps[here]!.map(([thread, after]) => {
        const then = looks ? stepped | (1 << thread) : 0;
        const key = `${after},${then}`;
        let number = numbers.get(key);
        if (number === undefined) {
          number = states.push([after, then]) - 1;
          numbers.set(key, number);
        }
        return [thread, number] as const;
      }),
    );
    if (states.length > MOST_STATES) {
      throw new LimitError(`The program and the model together have more than ${MOST_STATES} states.`);
    }
  }
  return { states, fair, steps };
}

/** Return the live threads that are in the fair set of a state, with their steps. */
export function owedSteps(product: Product, state: number): Step[] {
  return product.steps[state]!.filter(([thread]) => (product.fair[state]! >> thread) & 1);
}

/**
 * Return the maximal strongly connected sets among some states; a state on no cycle is a set of its own.
 *
 * A set comes after all others that can be reached from it. The search is that of R. Tarjan (1972), without recursion.
 */
export function connectedSets(product: Product, inside: ReadonlySet<number>): Set<number>[] {
  const found: Set<number>[] = [];
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const waiting: number[] = [];
  const isWaiting = new Set<number>();
  for (const root of inside) {
    if (index.has(root)) continue;
    const path: { state: number; next: number }[] = [];
    const enter = (state: number) => {
      index.set(state, index.size);
      low.set(state, index.get(state)!);
      waiting.push(state);
      isWaiting.add(state);
      path.push({ state, next: 0 });
    };
    enter(root);
    while (path.length) {
      const top = path.at(-1)!;
      const step = product.steps[top.state]![top.next];
      if (step) {
        top.next += 1;
        const after = step[1];
        if (!inside.has(after)) continue;
        if (!index.has(after)) enter(after);
        else if (isWaiting.has(after)) low.set(top.state, Math.min(low.get(top.state)!, index.get(after)!));
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before) low.set(before.state, Math.min(low.get(before.state)!, low.get(top.state)!));
      if (low.get(top.state) === index.get(top.state)) {
        const set = new Set<number>();
        let state: number;
        do {
          state = waiting.pop()!;
          isWaiting.delete(state);
          set.add(state);
        } while (state !== top.state);
        found.push(set);
      }
    }
  }
  return found;
}

/** Return the maximal strongly connected sets among some states that have a step inside. */
function recurrentSets(product: Product, inside: ReadonlySet<number>): Set<number>[] {
  return connectedSets(product, inside).filter((c) =>
    [...c].some((state) => product.steps[state]!.some(([, after]) => c.has(after))),
  );
}

/** Return the largest recurrent sets in which an execution may stay for ever; none if the verdict is a pass. */
export function failingSets(product: Product, form: Form): Set<number>[] {
  const found: Set<number>[] = [];
  const waiting: ReadonlySet<number>[] = [new Set(product.states.keys())];
  while (waiting.length) {
    for (const c of recurrentSets(product, waiting.pop()!)) {
      if (form === "weak") {
        let always = -1;
        let stepping = 0;
        for (const state of c) {
          always &= product.fair[state]!;
          for (const [thread, after] of product.steps[state]!) if (c.has(after)) stepping |= 1 << thread;
        }
        if ((always & ~stepping) === 0) found.push(c);
      } else {
        const staying = new Set([...c].filter((state) => owedSteps(product, state).every(([, after]) => c.has(after))));
        if (staying.size === c.size) found.push(c);
        else if (staying.size) waiting.push(staying);
      }
    }
  }
  return found.sort((one, other) => Math.min(...one) - Math.min(...other));
}
