// Lassos: executions that never end. The shortest one of a failing verdict, and the check that it is one.
//
// The search is a twin of `synth_checker/certificates/lasso.py`, which explains it, and finds the same lassos. Whatever
// the search finds, `refusal` replays it before the page shows it.

import type { Program } from "./program.ts";
import { evaluated, type Expression, mentionsStepped } from "./models.ts";
import { failingSets, type Form, owedSteps, type Product } from "./product.ts";
import { keyOf, liveIn, startOf, type State, stepOf } from "./semantics.ts";

/** An execution that never ends: the threads that step. After `prefix` steps, the others come again and again. */
export interface Lasso {
  readonly threads: readonly number[];
  readonly prefix: number;
}

/** The number of walks after which the search stops, as in the core. */
const BUDGET = 20_000;

interface Walk {
  readonly anchor: number;
  readonly state: number;
  readonly seen: bigint;
  readonly open: bigint;
  readonly from: Walk | null;
  readonly thread: number;
}

/** What is open in a new walk, and in one that is longer by a step. */
interface Openness {
  first(state: number): { seen: bigint; open: bigint };
  then(walk: Walk, thread: number, after: number): { seen: bigint; open: bigint };
}

function weakOpenness(product: Product): Openness {
  return {
    first: (state) => ({ seen: 0n, open: BigInt(product.fair[state]!) }),
    then: (walk, thread, after) => ({
      seen: 0n,
      open: walk.open & ~(1n << BigInt(thread)) & BigInt(product.fair[after]!),
    }),
  };
}

function strongOpenness(product: Product): Openness {
  const states = new Map<number, bigint>();
  const steps = new Map<string, bigint>();
  const bitIn = <Key>(bits: Map<Key, bigint>, key: Key): bigint => {
    const bit = bits.get(key) ?? 1n << BigInt(bits.size);
    bits.set(key, bit);
    return bit;
  };
  const met = (state: number) => ({
    seen: bitIn(states, state),
    open: owedSteps(product, state).reduce((set, [thread]) => set | bitIn(steps, `${state},${thread}`), 0n),
  });
  return {
    first: met,
    then: (walk, thread, after) => {
      const left = walk.open & ~(steps.get(`${walk.state},${thread}`) ?? 0n);
      const { seen, open } = met(after);
      return { seen: walk.seen | seen, open: walk.seen & seen ? left : left | open };
    },
  };
}

/** Return the shortest lasso of a product that fails; null if it passes, or if the search takes too long. */
export function shortestLasso(product: Product, form: Form): Lasso | null {
  const inside = new Set(failingSets(product, form).flatMap((set) => [...set]));
  const openness = form === "weak" ? weakOpenness(product) : strongOpenness(product);
  const paths = pathsOf(product);
  const anchors = [...inside].sort((one, other) => one - other);
  const known = new Set<string>();
  const isNew = ({ anchor, state, seen, open }: Walk): boolean => {
    const before = known.size;
    return known.add(`${anchor},${state},${seen.toString(36)},${open.toString(36)}`).size > before;
  };
  let walks: Walk[] = [];
  for (let steps = 0; (anchors.length || walks.length) && known.size <= BUDGET; steps += 1) {
    while (anchors.length && paths[anchors[0]!]!.length <= steps) {
      const anchor = anchors.shift()!;
      const walk = { anchor, state: anchor, ...openness.first(anchor), from: null, thread: -1 };
      isNew(walk);
      walks.push(walk);
    }
    const longer: Walk[] = [];
    for (const walk of walks) {
      for (const [thread, after] of product.steps[walk.state]!) {
        if (!inside.has(after)) continue;
        const next = { anchor: walk.anchor, state: after, ...openness.then(walk, thread, after), from: walk, thread };
        if (after === walk.anchor && next.open === 0n) {
          const path = paths[walk.anchor]!;
          return { threads: [...path, ...threadsOf(next)], prefix: path.length };
        }
        if (isNew(next)) longer.push(next);
      }
    }
    walks = longer;
  }
  return null;
}

function threadsOf(walk: Walk): number[] {
  const found: number[] = [];
  for (let here = walk; here.from; here = here.from) found.push(here.thread);
  return found.reverse();
}

/** Return a shortest path to each state, as the threads that step. */
export function pathsOf(product: Pick<Product, "states" | "steps">): readonly (readonly number[])[] {
  const paths: number[][] = [[]];
  product.steps.forEach((row, state) => {
    for (const [thread, after] of row) paths[after] ??= [...paths[state]!, thread];
  });
  return paths;
}

/** One step of a lasso that has been replayed. */
export interface Played {
  readonly state: State;
  /** The threads that the model owes a step in this state. */
  readonly owed: readonly number[];
  readonly live: readonly number[];
  readonly thread: number;
}

/** Return the steps of a lasso, replayed from the start of the program by its steps alone. */
export function played(lasso: Lasso, program: Program, model: Expression): Played[] {
  const all = (1 << program.length) - 1;
  let state = startOf(program);
  let stepped = 0;
  return lasso.threads.map((thread) => {
    const live = liveIn(program, state);
    const mask = live.reduce((set, one) => set | (1 << one), 0);
    const fair = mask & evaluated(model, mask, stepped, all);
    const step = { state, owed: live.filter((one) => (fair >> one) & 1), live, thread };
    if (live.includes(thread)) state = stepOf(program, state, thread);
    stepped |= 1 << thread;
    return step;
  });
}

/** Return why a lasso does not prove that a program fails one form of a model; null if it does. */
export function refusal(lasso: Lasso, program: Program, model: Expression, form: Form): string | null {
  const steps = played(lasso, program, model);
  const cycle = steps.slice(lasso.prefix);
  const bad = steps.findIndex(({ live, thread }) => !live.includes(thread));
  if (bad >= 0) return `step ${bad + 1}: thread ${steps[bad]!.thread} is not live`;
  if (!cycle.length || lasso.prefix < 0) return "the cycle is empty";
  const looks = mentionsStepped(model);
  const steppedBefore = (number: number) => (looks ? [...new Set(lasso.threads.slice(0, number))].sort().join() : "");
  const last = steps.at(-1)!;
  const first = cycle[0]!;
  const end = keyOf(stepOf(program, last.state, last.thread));
  if (end !== keyOf(first.state) || steppedBefore(steps.length) !== steppedBefore(lasso.prefix)) {
    return "the cycle does not end where it begins";
  }
  const stepping = new Set(cycle.map((step) => step.thread));
  const taken = new Set(cycle.map((step) => `${keyOf(step.state)}:${step.thread}`));
  for (const thread of program.keys()) {
    const owing = cycle.filter((step) => step.owed.includes(thread));
    if (form === "weak" && owing.length === cycle.length && !stepping.has(thread)) {
      return `thread ${thread} is always promised a step and takes none`;
    }
    if (form === "strong" && owing.some((step) => !taken.has(`${keyOf(step.state)}:${thread}`))) {
      return `thread ${thread} is promised a step in a state in which it takes none`;
    }
  }
  return null;
}
