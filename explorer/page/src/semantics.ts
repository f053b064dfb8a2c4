// Programs as transition systems: the steps of docs/understand/semantics.md, section 1, and all states that a program reaches.
//
// This is a twin of the core's semantics. A test compares every state and every step of the two.

import type { Program } from "./program.ts";

/** The memory, and the location of each thread. */
export interface State {
  readonly memory: readonly number[];
  readonly pcs: readonly number[];
}

/** A step: the thread that takes it, and the number of the state to which it leads. */
export type Step = readonly [thread: number, after: number];

/** All states that a program reaches, in breadth-first order, and the steps from each, by rising thread. */
export interface Graph {
  readonly states: readonly State[];
  readonly steps: readonly (readonly Step[])[];
}

/** Says that a program has too many states for the page. */
export class LimitError extends Error {}

export const MOST_STATES = 20_000;

export function startOf(program: Program): State {
  const locations = 1 + Math.max(...program.flat().map((instruction) => instruction.loc));
  return { memory: Array<number>(locations).fill(0), pcs: program.map(() => 0) };
}

/** Return the threads that are not at their end. */
export function liveIn(program: Program, state: State): number[] {
  return program.flatMap((thread, tid) => (state.pcs[tid]! < thread.length ? [tid] : []));
}

/** Return the state after one step of a live thread: it compares, writes, and moves on. */
export function stepOf(program: Program, state: State, thread: number): State {
  const pc = state.pcs[thread]!;
  const { loc, check, exch, target } = program[thread]![pc]!;
  const isTaken = state.memory[loc] === check;
  return {
    memory: exch === null ? state.memory : replaced(state.memory, loc, exch),
    pcs: replaced(state.pcs, thread, isTaken ? target : pc + 1),
  };
}

function replaced(numbers: readonly number[], place: number, by: number): number[] {
  const found = [...numbers];
  found[place] = by;
  return found;
}

export function keyOf(state: State): string {
  return `${state.memory.join()};${state.pcs.join()}`;
}

/** Return all states that a program reaches. Throws a LimitError if there are more than `MOST_STATES`. */
export function graphOf(program: Program): Graph {
  const states = [startOf(program)];
  const numbers = new Map([[keyOf(states[0]!), 0]]);
  const steps: Step[][] = [];
  for (const state of states) {
    // The list grows while it is read.
    steps.push(
      liveIn(program, state).map((thread) => {
        const after = stepOf(program, state, thread);
        const key = keyOf(after);
        let number = numbers.get(key);
        if (number === undefined) {
          number = states.push(after) - 1;
          numbers.set(key, number);
        }
        return [thread, number] as const;
      }),
    );
    if (states.length > MOST_STATES) throw new LimitError(`The program has more than ${MOST_STATES} states.`);
  }
  return { states, steps };
}
