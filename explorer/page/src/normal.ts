// The normal form of a program (docs/understand/semantics.md, section 2), and programs that are a little smaller.

import { type Instruction, type Program, writtenOut } from "./program.ts";

type Editable = Instruction[];

/** Return the normal form of a program. A program that consists only of no-ops has no thread left. */
export function normalForm(program: Program): Program {
  const threads = program.map((thread) => withoutNoOps([...thread])).filter((thread) => thread.length);
  const locations = new Map<number, number>();
  const values = new Map<number, number>([[0, 0]]);
  const named = (names: Map<number, number>, number: number): number => {
    if (!names.has(number)) names.set(number, names.size);
    return names.get(number)!;
  };
  return threads.map((thread) =>
    thread.map((i, pc) => ({
      loc: named(locations, i.loc),
      check: isStore(i, pc) ? 0 : named(values, i.check),
      exch: i.exch === null ? null : named(values, i.exch),
      target: i.target,
    })),
  );
}

export function idOf(program: Program): string {
  return writtenOut(normalForm(program));
}

function isStore(i: Instruction, pc: number): boolean {
  return i.exch !== null && i.target === pc + 1;
}

/** Delete no-ops one by one: a deletion can turn a jump over the no-op into a new no-op. */
function withoutNoOps(thread: Editable): Editable {
  for (;;) {
    const pc = thread.findIndex((i, at) => i.exch === null && i.target === at + 1);
    if (pc < 0) return thread;
    thread = without(thread, pc);
  }
}

/** Delete an instruction. Jumps to it go to what followed it, and later locations move down by one. */
function without(thread: readonly Instruction[], pc: number): Editable {
  return thread
    .filter((_, at) => at !== pc)
    .map((i) => ({ ...i, target: i.target > pc ? i.target - 1 : i.target }));
}

/** Return the ids of the programs that are one relaxation smaller (docs/understand/semantics.md, section 6). */
export function smallerIds(program: Program): Set<string> {
  const found = new Set<string>();
  const add = (other: Program) => {
    const id = idOf(other.filter((thread) => thread.length));
    if (id !== "") found.add(id);
  };
  const changed = (tid: number, thread: Editable) => add(program.map((old, at) => (at === tid ? thread : old)));
  program.forEach((thread, tid) =>
    thread.forEach((i, pc) => {
      changed(tid, without(thread, pc));
      if (i.exch === null || isStore(i, pc)) return;
      const put = (other: Instruction) => changed(tid, thread.map((old, at) => (at === pc ? other : old)));
      put({ ...i, exch: null });
      put({ ...i, check: 0, target: pc + 1 });
    }),
  );
  const all = program.flat();
  const renamed = (change: (i: Instruction) => Instruction) => add(program.map((thread) => thread.map(change)));
  for (const [one, other] of pairs(all.map((i) => i.loc))) {
    renamed((i) => ({ ...i, loc: i.loc === other ? one : i.loc }));
  }
  for (const [one, other] of pairs([0, ...all.flatMap((i) => [i.check, ...(i.exch === null ? [] : [i.exch])])])) {
    const name = (value: number) => (value === other ? one : value);
    renamed((i) => ({ ...i, check: name(i.check), exch: i.exch === null ? null : name(i.exch) }));
  }
  found.delete(idOf(program));
  return found;
}

/** Return the ids of the programs that have the same threads in another order. */
export function reorderedIds(program: Program): Set<string> {
  const found = new Set<string>();
  const permute = (done: Program, rest: Program) => {
    if (!rest.length) found.add(idOf(done));
    rest.forEach((thread, at) => permute([...done, thread], rest.filter((_, other) => other !== at)));
  };
  if (program.length <= 6) permute([], program);
  found.delete(idOf(program));
  return found;
}

function pairs(numbers: readonly number[]): [number, number][] {
  const different = [...new Set(numbers)].sort((one, other) => one - other);
  return different.flatMap((one, at) => different.slice(at + 1).map((other): [number, number] => [one, other]));
}
