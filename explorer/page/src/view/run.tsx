// A program that runs: its text with the current instructions, its state, a drawing of all states, and the steps that
// somebody has chosen, or those of the proof of a verdict.

import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { instructionKind, instructionText, type Program } from "../program.ts";
import { shownOf, stateAfter } from "../run.ts";
import { ProofView } from "./proof.tsx";
import { States } from "./states.tsx";
import { count, listed, threadsIn } from "./words.ts";

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

  // Before the next key: an effect that waits for the screen would take a quick second key from the same state again.
  useLayoutEffect(() => {
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

function owedWords(fair: number): string {
  const owed = threadsIn(fair);
  if (!owed.length) return "No thread is promised a step.";
  return `Thread${owed.length > 1 ? "s" : ""} ${listed(owed)} ${owed.length > 1 ? "are" : "is"} promised a step.`;
}
