// Programs: reading an id, and writing the text form (docs/understand/semantics.md, sections 1 and 2).
//
// An id is a whole program. So the page makes everything that it shows of a program from its id.

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const THREAD = /^(?:[0-9a-z]{2}[0-9a-z_][0-9a-z])+$/;

/** One instruction, `AXB(loc, check, target, exch)`. `exch` is null if the instruction writes nothing. */
export interface Instruction {
  readonly loc: number;
  readonly check: number;
  readonly exch: number | null;
  readonly target: number;
}

export type Thread = readonly Instruction[];
export type Program = readonly Thread[];

/** Says that a text is no id, or no program. */
export class ProgramError extends Error {}

const threads = new Map<string, Thread>();

/** Return the thread with these digits. Each is read only once, because tests share most of their threads. */
function threadOf(digits: string): Thread {
  const known = threads.get(digits);
  if (known) return known;
  if (!THREAD.test(digits)) throw new ProgramError(`“${digits}” is no thread of an id`);
  const size = digits.length / 4;
  const made: Instruction[] = [];
  for (let at = 0; at < digits.length; at += 4) {
    const [loc, check, exch, target] = [...digits.slice(at, at + 4)].map((digit) => DIGITS.indexOf(digit));
    if (target! > size) throw new ProgramError(`“${digits}” has a jump behind its end`);
    made.push({ loc: loc!, check: check!, exch: exch! < 0 ? null : exch!, target: target! });
  }
  threads.set(digits, made);
  return made;
}

/** Return the program with this id. Throws a ProgramError if the text is no id. */
export function programOf(id: string): Program {
  return id.split("-").map(threadOf);
}

/** Return the id that is written out of a program. It is the program's id only if the program is in normal form. */
export function writtenOut(program: Program): string {
  return program
    .map((thread) =>
      thread
        .map((i) => DIGITS[i.loc]! + DIGITS[i.check]! + (i.exch === null ? "_" : DIGITS[i.exch]!) + DIGITS[i.target]!)
        .join(""),
    )
    .join("-");
}

/** Return the text of one instruction, without its number. */
export function instructionText(thread: Thread, pc: number): string {
  const { loc, check, exch, target } = thread[pc]!;
  if (exch !== null && target === pc + 1 && check === 0) return `Mem[${loc}] = ${exch};`;
  const read = exch === null ? `Mem[${loc}]` : `Exch(Mem[${loc}],${exch})`;
  return `if (${read} == ${check}) goto ${target === thread.length ? "END" : target};`;
}

/** Return the kind of one instruction, in the words of `synth show`. */
export function instructionKind(thread: Thread, pc: number): string {
  const { exch, target } = thread[pc]!;
  if (target === pc + 1) return exch === null ? "no-op" : "store";
  return exch === null ? "check branch" : "exchange branch";
}

/** Return the lines of a thread in the text form. */
export function threadLines(thread: Thread): string[] {
  return thread.map((_, pc) => `${pc}: ${instructionText(thread, pc)}`);
}

/** Return the text form of a program, as the paper prints it. */
export function programText(program: Program): string {
  return program.map((thread, tid) => [`THREAD ${tid}`, ...threadLines(thread), ""].join("\n")).join("\n");
}
