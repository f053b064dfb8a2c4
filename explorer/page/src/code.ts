// The code of a test for a target: what `synth emit --target TARGET --mapping MAPPING ID` writes into its source file.
//
// A page cannot hold the code of thousands of tests for eleven targets. So the data has the templates of `synth emit`,
// and what a launch of each mapping is, and this module makes what the templates ask of a test and of a launch. It
// follows `synth_backends`: `template_files` (the filters), `litmus_test` and `units`. A test compares the results.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { expressionOf } from "./models.ts";
import { failingSets, productOf } from "./product.ts";
import { instructionText, type Program, programOf, programText, type Thread } from "./program.ts";
import { graphOf } from "./semantics.ts";
import { type Filters, rendered, type Templates } from "./template.ts";

/** What a launch starts, as `synth_explorer/code.py` packs it. `lines` are the definitions of the mapping. */
export interface Launch {
  mapping: string;
  says: string;
  apart: number;
  is_anew: boolean;
  lanes: number;
  threads: number;
  instances: number;
  width: number;
  workgroups: number;
  has_lanes: boolean;
  has_idle_lanes: boolean;
  lines: string[];
}

/** A target: its template, what its templates use beyond what all use, and its launches by mapping and number of threads. */
export interface Target {
  template: string;
  mapping: string;
  launches: Record<string, Record<string, Launch>>;
}

/** All that the page needs to make code. `verdicts` are those that comments name, each with its model. */
export interface Code {
  release: string;
  shape: string;
  templates: Templates;
  targets: Record<string, Target>;
  canary: Launch;
  models: Record<string, string>;
  verdicts: string[];
}

const WIDTH = 100; // of comments and of scripts
const LONGEST_ID = 140;

/** Return the launches of a target for a number of threads, by the names of the mappings. */
export function launchesOf(code: Code, target: string, threads: number): Map<string, Launch> {
  const found = Object.entries(code.targets[target]?.launches ?? {});
  return new Map(found.flatMap(([name, byThreads]) => (byThreads[threads] ? [[name, byThreads[threads]!]] : [])));
}

/** Return the names of all mappings that some target can run. */
export function mappingsOf(code: Code): string[] {
  return [...new Set(Object.values(code.targets).flatMap(({ launches }) => Object.keys(launches)))];
}

/** Return the code of a test for a target. The target must have a launch of this mapping for the test's threads. */
export function codeOf(code: Code, id: string, target: string, mapping: string): string {
  const program = programOf(id);
  const launch = launchesOf(code, target, program.length).get(mapping)!;
  const test = launchedTest(id, id, program, launch, verdictsOf(code, program));
  const unit = { tests: [test], reads: test.reads, suffix: () => "" };
  const given = {
    target,
    unit,
    mapping: test.launch.mapping,
    stress: 0,
    shape: code.shape,
    stress_adds: false,
    stress_lasts: false,
    spelling: null,
    release: code.release,
    canary: launchedTest("canary", "0011", programOf("0011"), code.canary, {}),
    alone: (one: typeof test) => ({ tests: [one], reads: one.reads, suffix: () => "" }),
    assembly: () => launch.lines,
    numbers: (functions: string) =>
      [...new Set([...functions.matchAll(/%uint_(\d+)/g)].map(([, digits]) => Number(digits)))].sort((a, b) => a - b),
  };
  return rendered(code.templates, target, code.targets[target]!.template, given, FILTERS);
}

/** Return what each verdict says of a program, by the page's own semantics. */
function verdictsOf(code: Code, program: Program): Record<string, "pass" | "fail"> {
  const graph = graphOf(program);
  const products = new Map(
    Object.entries(code.models).map(([name, text]) => [name, productOf(graph, expressionOf(text))] as const),
  );
  return Object.fromEntries(
    code.verdicts.map((verdict) => {
      const [model, form] = verdict.split(".") as [string, "weak" | "strong" | undefined];
      return [verdict, failingSets(products.get(model)!, form ?? "weak").length ? "fail" : "pass"];
    }),
  );
}

function launchedTest(name: string, id: string, program: Program, launch: Launch, verdicts: Record<string, string>) {
  const instructions = program.flat();
  const locations = Math.max(...instructions.map(({ loc }) => loc + 1));
  const stem = fileStem(id);
  return {
    litmus: {
      name,
      id,
      identifier: stem.replaceAll("-", "_"),
      program: Object.assign([...program], { locations: () => locations }),
      verdicts,
    },
    launch: {
      ...launch,
      mapping: {
        name: launch.mapping,
        says: launch.says,
        apart: launch.apart,
        kind: { is_anew: launch.is_anew },
        lanes: () => launch.lanes,
      },
      stress: 0,
      spelt: () => launch.lines,
    },
    words: locations * launch.instances,
    reads: instructions.some(({ exch }) => exch === null),
  };
}

function fileStem(id: string): string {
  if (id.length <= LONGEST_ID) return `test-${id}`;
  return `test-${id.slice(0, LONGEST_ID)}-${bytesToHex(sha256(utf8ToBytes(id))).slice(0, 16)}`;
}

/** Return the lines of a text that is broken at spaces, none longer than the width unless it is one word. */
function wrapped(text: string, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : indent + word);
  }
  return lines;
}

/** Return a JSON text with only ASCII characters, as Python writes it. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (letter) =>
    letter === "\u007f" ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function named(verdicts: Record<string, string>, result: string): string[] {
  return Object.keys(verdicts).filter((name) => verdicts[name] === result);
}

function lineComment(text: string, mark = "//"): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${mark} ${line}`.trimEnd()).join("\n");
}

function expectation({ litmus: { verdicts } }: { litmus: { verdicts: Record<string, string> } }): string {
  const meanings = { pass: "Must terminate under: ", fail: "May hang under: " };
  const sentences = Object.entries(meanings).flatMap(([result, meaning]) => {
    const names = named(verdicts, result);
    return names.length ? wrapped(`${meaning}${names.join(", ")}.`, "    ") : [];
  });
  return sentences.join("\n");
}

function scriptArgument(name: string, column: number, indent: number): string {
  const inner = jsonString(name).slice(1, -1).replaceAll('\\"', '"');
  const quote = inner.split("'").length > inner.split('"').length ? '"' : "'";
  const text = quote + inner.replaceAll(quote, `\\${quote}`) + quote;
  if (column + 2 + text.length <= WIDTH) return `(${text})`;
  return `(\n${" ".repeat(indent)}  ${text}\n${" ".repeat(indent)})`;
}

/** Return a name between quotes. The names here are ids, so nothing in them needs to be escaped. */
function quoted(name: string): string {
  return `"${name}"`;
}

const FILTERS: Filters = {
  c_string: quoted,
  c_words: (words: string[], column: number) => `"${wrapped(words.join(" ")).join(` "\n${" ".repeat(column)}"`)}"`,
  expectation,
  in_script: (code: string) => code.replaceAll("</", "<\\/").replaceAll("<!--", "<\\!--"),
  instruction: (thread: Thread, pc: number) => instructionText(thread, pc),
  join: (words: string[], between: string) => words.join(between),
  json_string: jsonString,
  json_verdicts: ({ verdicts }: { verdicts: Record<string, string> }, column: number) => {
    const members = Object.entries(verdicts).map(([name, result]) => `"${name}":"${result}"`);
    return `{${wrapped(members.join(", ")).join(`\n${" ".repeat(column)}`)}}`;
  },
  length: (items: unknown[]) => items.length,
  line_comment: lineComment,
  program: (program: Program) => programText(program),
  quoted,
  replace: (text: string, old: string, other: string) => text.replaceAll(old, other),
  script_argument: scriptArgument,
  template_literal: (text: string) => text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${"),
  verdicts: ({ verdicts }: { verdicts: Record<string, string> }, result: string) => named(verdicts, result),
  without_flagged_words: (comment: string) =>
    comment.replace(
      /\b(?:todo|fixme|xxx)\b/gi,
      (word) => `\\u${word.charCodeAt(0).toString(16).padStart(4, "0")}${word.slice(1)}`,
    ),
};
