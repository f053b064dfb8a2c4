// Reading the text form of a program (docs/understand/semantics.md, section 1), as somebody types it.
//
// A twin of `synth_checker/programs/text.py`. A test compares the programs that the two read, and their messages.

import { type Instruction, type Program, programOf, type Thread } from "./program.ts";

/** Says where a text is no program: the line, the column, what was found and what was expected. */
export class TextError extends Error {}

const MOST_INSTRUCTIONS = 35;
const MOST_VALUES = 36;
/** Sets of threads are bits of a number. */
const MOST_THREADS = 20;

interface Token {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Read one program, given by its text or by its id. Throws a TextError if it is neither. */
export function programIn(text: string): Program {
  if (/^\s*[0-9a-z_-]+\s*$/.test(text)) {
    try {
      return programOf(text.trim());
    } catch (error) {
      throw new TextError(`1:1: ${(error as Error).message}`);
    }
  }
  return new Reader(text).only();
}

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(/(\s+)|(\/\/[^\n]*)|([A-Za-z_]+|[0-9]+|==|.)/gsu)) {
    if (match[3] !== undefined) found.push({ text: match[3], line, column: match.index - start + 1 });
    const last = match[0].lastIndexOf("\n");
    if (last >= 0) {
      line += match[0].split("\n").length - 1;
      start = match.index + last + 1;
    }
  }
  found.push({ text: "", line, column: text.length - start + 1 });
  return found;
}

class Reader {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  /** Read the only program of the text. Further programs are read, too, so that the first fault is told. */
  only(): Program {
    const found: Program[] = [];
    let second = 1;
    while (this.next.text !== "") {
      if (found.length === 1) second = this.next.line;
      found.push(this.program());
    }
    if (found.length === 1) return found[0]!;
    throw new TextError(`${second}:1: found ${found.length} programs, expected one`);
  }

  private program(): Program {
    const threads = [this.thread(0)];
    while (this.next.text === "THREAD" && !this.startsProgram()) {
      threads.push(this.thread(threads.length));
      if (threads.length > MOST_THREADS) this.fail(`at most ${MOST_THREADS} threads`);
    }
    if (this.next.text !== "" && this.next.text !== "THREAD") this.fail("an instruction, THREAD or the end of the text");
    return threads;
  }

  private startsProgram(): boolean {
    const number = this.tokens[this.at + 1]!;
    return isNumber(number) && Number(number.text) === 0;
  }

  private thread(number: number): Thread {
    this.take("THREAD");
    this.number(`thread number ${number}`, { exactly: number });
    const parsed: { instruction: Instruction; goto: Token }[] = [];
    while (isNumber(this.next)) parsed.push(this.instruction(parsed.length));
    if (!parsed.length) this.fail(`the first instruction of thread ${number}`);
    const size = parsed.length;
    return parsed.map(({ instruction, goto }) => {
      if (goto.text === "END") return { ...instruction, target: size };
      if (instruction.target > size) {
        this.fail(`an instruction of thread ${number} to jump to (0 to ${size}) or END`, goto);
      }
      return instruction;
    });
  }

  private instruction(pc: number): { instruction: Instruction; goto: Token } {
    const start = this.next;
    this.number(`instruction number ${pc}`, { exactly: pc });
    if (pc >= MOST_INSTRUCTIONS) this.fail(`at most ${MOST_INSTRUCTIONS} instructions in a thread`, start);
    this.take(":");
    if (this.next.text === "Mem") {
      const loc = this.memory();
      this.take("=");
      const exch = this.value();
      this.take(";");
      return { instruction: { loc, check: 0, exch, target: pc + 1 }, goto: start };
    }
    if (this.next.text !== "if") this.fail("'if' or 'Mem'");
    return this.branch();
  }

  private branch(): { instruction: Instruction; goto: Token } {
    this.take("if");
    this.take("(");
    let exch: number | null = null;
    let loc = 0;
    if (this.next.text === "Exch") {
      this.take("Exch");
      this.take("(");
      loc = this.memory();
      this.take(",");
      exch = this.value();
      this.take(")");
    } else if (this.next.text === "Mem") loc = this.memory();
    else this.fail("'Exch' or 'Mem'");
    this.take("==");
    const check = this.value();
    this.take(")");
    this.take("goto");
    const goto = this.next;
    let target = 0;
    if (goto.text === "END") this.take("END");
    else target = this.number("a location or END", { below: MOST_INSTRUCTIONS + 1 });
    this.take(";");
    return { instruction: { loc, check, exch, target }, goto };
  }

  private memory(): number {
    this.take("Mem");
    this.take("[");
    const loc = this.number("a memory location", { below: MOST_VALUES });
    this.take("]");
    return loc;
  }

  private value(): number {
    return this.number("a value", { below: MOST_VALUES });
  }

  private number(expected: string, { exactly, below }: { exactly?: number; below?: number }): number {
    const token = this.next;
    if (!isNumber(token) || (exactly !== undefined && Number(token.text) !== exactly)) this.fail(expected);
    const number = Number(token.text);
    if (below !== undefined && number >= below) this.fail(`${expected} below ${below}`, token);
    this.at += 1;
    return number;
  }

  private take(text: string): void {
    if (this.next.text !== text) this.fail(`'${text}'`);
    this.at += 1;
  }

  private fail(expected: string, token: Token = this.next): never {
    const found = token.text === "" ? "the end of the text" : `'${token.text.slice(0, 40)}'`;
    throw new TextError(`${token.line}:${token.column}: found ${found}, expected ${expected}`);
  }
}

function isNumber(token: Token): boolean {
  return /^[0-9]+$/.test(token.text);
}
