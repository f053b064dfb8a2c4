// A program that runs: its text with the current instructions, its state, a drawing of all states, and the steps that
// somebody has chosen, or those of the proof of a verdict.

import { useEffect, useMemo, useState } from "preact/hooks";
import { instructionKind, instructionText, type Program } from "../program.ts";
import { type Proof, type Shown, shownOf, stateAfter } from "../run.ts";
import { Drawing, type Edge, type Node } from "./drawing.tsx";
import { count, listed } from "./words.ts";

/** Above so many states, a list takes the place of the drawing until somebody asks for it. */
const MOST_DRAWN = 60;
const PLAY_MS = 900;

interface Props {
  program: Program;
  /** The verdict whose proof is shown, and what the corpus says of it. */
  verdict: string;
  said: string;
  models: ReadonlyMap<string, string>;
  /** The threads that have stepped, as digits; for a lasso, only the number of its steps matters. */
  run: string;
  onRun: (run: string) => void;
  onVerdict: (verdict: string) => void;
}

export function Run({ program, verdict, said, models, run, onRun, onVerdict }: Props) {
  const shown = useMemo(() => shownOf(program, verdict, models, said), [program, verdict, models, said]);
  const { product, graph, proof } = shown;
  const given = [...run].map((digit) => Number.parseInt(digit, 36));
  const here = stateAfter(product, given);
  const threads = here === null ? [] : given;
  const number = here ?? 0;
  const state = graph.states[product.states[number]![0]]!;
  const live = product.steps[number]!.map(([thread]) => thread);
  const lasso = proof?.kind === "lasso" ? proof.lasso : null;
  const follows = lasso !== null && threads.every((thread, at) => thread === threadAt(lasso, at));
  const [plays, setPlays] = useState(false);

  const take = (thread: number) => live.includes(thread) && onRun(written([...threads, thread]));
  const back = () => onRun(written(threads.slice(0, -1)));
  const next = lasso && follows ? threadAt(lasso, threads.length) : undefined;
  // One round of the cycle is enough to have seen it. After that, the steps of the cycle come again.
  const forward = () => {
    if (!lasso || next === undefined) return;
    const round = threads.length === lasso.threads.length;
    onRun(written(round ? lasso.threads.slice(0, lasso.prefix + 1) : [...threads, next]));
  };
  useEffect(() => setPlays(false), [program, verdict]);
  useEffect(() => {
    if (!plays || next === undefined) return undefined;
    const timer = setTimeout(forward, PLAY_MS);
    return () => clearTimeout(timer);
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    const thread = Number.parseInt(event.key, 10);
    if (live.includes(thread)) take(thread);
    else if (event.key === "b") back();
    else if (event.key === "n") forward();
    else return;
    event.preventDefault();
  }

  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });

  return (
    <div class="run">
      <h3>Program</h3>
      <div class="program">
        {program.map((thread, tid) => (
          <table key={tid}>
            <caption>THREAD {tid}</caption>
            <tbody>
              {thread.map((_, pc) => (
                <tr key={pc} class={state.pcs[tid] === pc ? "here" : ""}>
                  <td class="mark">{state.pcs[tid] === pc ? <span title="the next instruction">▶</span> : ""}</td>
                  <td>
                    <code>
                      {pc}: {instructionText(thread, pc)}
                    </code>
                  </td>
                  <td class="kind">{instructionKind(thread, pc)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <h3>Steps</h3>
      <p role="status" class="state">
        {threads.length === 0 ? "At the start" : `After ${count(threads.length, "step")}`}: {memoryWords(state.memory)}.{" "}
        {live.length === 0 ? "All threads have ended." : endedWords(program, live)}
        {verdict !== "" && proof?.kind !== "none" && live.length > 0 && ` ${owedWords(product.fair[number]!)}`}
      </p>
      <div class="buttons">
        {program.map((_, tid) => (
          <button key={tid} type="button" disabled={!live.includes(tid)} onClick={() => take(tid)}>
            Step of thread {tid}
          </button>
        ))}
        <button type="button" disabled={threads.length === 0} onClick={back}>
          Back
        </button>
        <button type="button" disabled={threads.length === 0} onClick={() => onRun("")}>
          To the start
        </button>
      </div>
      <p class="hint">The keys 0 to 9 step a thread, b goes back{lasso ? ", n takes the next step of the execution" : ""}.</p>
      {verdict !== "" && (
        <section class="proof" aria-labelledby="proof-title">
          <h3 id="proof-title">
            {verdict}: {said === "" ? (proof?.kind === "lasso" ? "fail" : "pass") : said}
          </h3>
          <ProofView proof={proof!} program={program} shown={shown} at={follows ? threads.length : -1} state={number} />
          <div class="buttons">
            {lasso && (
              <>
                <button type="button" disabled={!follows} onClick={forward}>
                  Next step of the execution
                </button>
                <button type="button" disabled={!follows} aria-pressed={plays} onClick={() => setPlays(!plays)}>
                  {plays ? "Stop" : "Play"}
                </button>
              </>
            )}
            <button type="button" onClick={() => onVerdict("")}>
              Close the proof
            </button>
          </div>
        </section>
      )}
      <h3>States</h3>
      <States program={program} shown={shown} at={number} verdict={verdict} />
    </div>
  );
}

function threadAt(lasso: { threads: readonly number[]; prefix: number }, at: number): number {
  const { threads, prefix } = lasso;
  return threads[at < threads.length ? at : prefix + ((at - prefix) % (threads.length - prefix))]!;
}

function written(threads: readonly number[]): string {
  return threads.map((thread) => thread.toString(36)).join("");
}

function memoryWords(memory: readonly number[]): string {
  return listed(memory.map((value, loc) => `Mem[${loc}] is ${value}`));
}

function endedWords(program: Program, live: readonly number[]): string {
  const ended = [...program.keys()].filter((tid) => !live.includes(tid));
  if (!ended.length) return "";
  return `Thread${ended.length > 1 ? "s" : ""} ${listed(ended.map(String))} ${ended.length > 1 ? "have" : "has"} ended.`;
}

function threadsIn(set: number): string[] {
  return [...Array(31).keys()].filter((thread) => (set >> thread) & 1).map(String);
}

function owedWords(fair: number): string {
  const owed = threadsIn(fair);
  if (!owed.length) return "No thread is owed a step.";
  return `Thread${owed.length > 1 ? "s" : ""} ${listed(owed)} ${owed.length > 1 ? "are" : "is"} owed a step.`;
}

interface ProofProps {
  proof: Proof;
  program: Program;
  shown: Shown;
  at: number;
  state: number;
}

function ProofView({ proof, program, shown, at, state }: ProofProps) {
  if (proof.kind === "none") return <p class="notice">{proof.why}</p>;
  const sentences = proof.sentences.map((sentence) => <p key={sentence}>{sentence}</p>);
  if (proof.kind === "ranks") {
    const { rank, helper } = proof.ranks[state]!;
    const isEnd = shown.product.steps[state]!.length === 0;
    return (
      <>
        {sentences}
        <p class="rank">
          The rank of this state is {rank}.{" "}
          {isEnd
            ? ""
            : helper === null
              ? "Every step lowers it."
              : `Thread ${helper} is owed a step, and that step lowers it.`}
        </p>
      </>
    );
  }
  const { threads, prefix } = proof.lasso;
  const { product, graph } = shown;
  const current = at < 0 ? -1 : at < threads.length ? at : prefix + ((at - prefix) % (threads.length - prefix));
  let here = 0;
  return (
    <>
      {sentences}
      <div class="scroll" role="region" aria-label="The execution, step by step" tabIndex={0}>
        <table class="lasso">
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">memory</th>
              <th scope="col">owed</th>
              <th scope="col">thread</th>
              <th scope="col">instruction</th>
            </tr>
          </thead>
          <tbody>
            {threads.map((thread, number) => {
              const before = graph.states[product.states[here]![0]]!;
              const owed = threadsIn(product.fair[here]!);
              here = product.steps[here]!.find(([one]) => one === thread)![1];
              return (
                <tr key={number} class={number === current ? "here" : ""} aria-current={number === current ? "step" : undefined}>
                  <td>
                    {number + 1}
                    {number >= prefix ? " ↻" : ""}
                    {number >= prefix && <span class="unseen"> again and again</span>}
                  </td>
                  <td>{before.memory.join(" ")}</td>
                  <td>{owed.length ? owed.join(", ") : "none"}</td>
                  <td>{thread}</td>
                  <td>
                    <code>
                      {before.pcs[thread]}: {instructionText(program[thread]!, before.pcs[thread]!)}
                    </code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface StatesProps {
  program: Program;
  shown: Shown;
  at: number;
  verdict: string;
}

function States({ program, shown: { product, graph, proof }, at, verdict }: StatesProps) {
  const [isAsked, setAsked] = useState(false);
  const size = product.states.length;
  const shape = `${program.map((thread) => thread.length).join()}/${verdict}/${size}/${graph.steps.flat().join()}`;
  const draws = isAsked || size <= MOST_DRAWN;
  const onLasso = new Set<string>();
  if (proof?.kind === "lasso") {
    let here = 0;
    proof.lasso.threads.forEach((thread, number) => {
      const after = product.steps[here]!.find(([one]) => one === thread)![1];
      if (number >= proof.lasso.prefix) onLasso.add(`${here}>${after}`);
      here = after;
    });
  }
  const nodes = product.states.map(([number], place): Node => {
    const { memory, pcs } = graph.states[number]!;
    const where = pcs.map((pc, tid) => (pc === program[tid]!.length ? "E" : String(pc))).join(" ");
    const rank = proof?.kind === "ranks" ? [`rank ${proof.ranks[place]!.rank}`] : [];
    const kind = `${place === at ? "current" : ""} ${product.steps[place]!.length ? "" : "end"}`;
    return { lines: [`at ${where}`, `mem ${memory.join(" ")}`, ...rank], kind };
  });
  const edges = [...mergedSteps(product.steps)].map(([key, threads]): Edge => {
    const [from, to] = key.split(">").map(Number);
    return { from: from!, to: to!, label: threads.join(","), kind: onLasso.has(key) ? "cycle" : "" };
  });
  return (
    <>
      <p>
        {count(size, "state")}
        {verdict === "" || size === graph.states.length ? "" : ` of program and model together (${graph.states.length} of the program)`}
        . A number beside an arrow is the thread that steps. “at” says at which instruction each thread is; E is its end.
      </p>
      {draws ? (
        <Drawing
          nodes={nodes}
          edges={edges}
          shape={shape + (proof?.kind ?? "")}
          label={`The ${count(size, "state")} of the program, drawn; the table below says the same.`}
        />
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Draw {count(size, "state")}
        </button>
      )}
      <details open={!draws}>
        <summary>The states as a table</summary>
        <div class="scroll" role="region" aria-label="The states as a table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">state</th>
                <th scope="col">locations</th>
                <th scope="col">memory</th>
                <th scope="col">steps</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((node, place) => (
                <tr key={place} class={place === at ? "here" : ""}>
                  <td>{place}</td>
                  <td>{node.lines[0]!.slice(3)}</td>
                  <td>{node.lines[1]!.slice(4)}</td>
                  <td>{product.steps[place]!.map(([thread, after]) => `thread ${thread} to ${after}`).join("; ") || "end"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** Return the threads whose steps lead from one state to another, for each such pair. */
function mergedSteps(steps: Shown["product"]["steps"]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  steps.forEach((row, from) => {
    for (const [thread, to] of row) found.set(`${from}>${to}`, [...(found.get(`${from}>${to}`) ?? []), thread]);
  });
  return found;
}
