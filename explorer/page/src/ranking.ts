// Rankings: why a program always ends. A number for each state, which the promised steps lower.
//
// A twin of `synth_checker/certificates/ranking.py`, which explains why a ranking proves the verdict.

import { connectedSets, type Form, owedSteps, type Product } from "./product.ts";

/** The rank of a state, and the thread whose promised step lowers it; null if every step does. */
export interface Rank {
  readonly rank: number;
  readonly helper: number | null;
}

/** Return the rank of each state of a product that passes; null if it fails. */
export function rankingOf(product: Product, form: Form): Rank[] | null {
  return form === "weak" ? weakRanks(product) : strongRanks(product);
}

function weakRanks(product: Product): Rank[] | null {
  const ranks: Rank[] = Array(product.states.length);
  for (const c of connectedSets(product, new Set(product.states.keys()))) {
    const inside = new Set<number>();
    let rank = 0;
    for (const state of c) {
      for (const [thread, after] of product.steps[state]!) {
        if (c.has(after)) inside.add(thread);
        else rank = Math.max(rank, ranks[after]!.rank + 1);
      }
    }
    let helpers = [...c].reduce((set, state) => set & product.fair[state]!, -1);
    for (const thread of inside) helpers &= ~(1 << thread);
    if (inside.size && helpers === 0) return null;
    const helper = inside.size ? 31 - Math.clz32(helpers & -helpers) : null;
    for (const state of c) ranks[state] = { rank, helper };
  }
  return ranks;
}

function strongRanks(product: Product): Rank[] | null {
  const ranks: Rank[] = Array(product.states.length);
  let rest = [...product.states.keys()];
  for (let rank = 0; rest.length; rank += 1) {
    const reached: [number, Rank][] = [];
    for (const state of rest) {
      const lowers = (after: number) => ranks[after] !== undefined;
      const helper = owedSteps(product, state).find(([, after]) => lowers(after));
      if (product.steps[state]!.every(([, after]) => lowers(after))) reached.push([state, { rank, helper: null }]);
      else if (helper) reached.push([state, { rank, helper: helper[0] }]);
    }
    if (!reached.length) return null;
    for (const [state, found] of reached) ranks[state] = found;
    rest = rest.filter((state) => ranks[state] === undefined);
  }
  return ranks;
}
