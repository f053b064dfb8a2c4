// All states of a program, drawn and as a table, with the state that is shown and the cycle of an execution for ever.

import { useState } from "preact/hooks";
import { type Program } from "../program.ts";
import { type Shown } from "../run.ts";
import { Drawing, type Edge, type Node } from "./drawing.tsx";
import { ScrollTable } from "./scroll.tsx";
import { count } from "./words.ts";

/** Above so many states, a list takes the place of the drawing until somebody asks for it. */
const MOST_DRAWN = 60;

interface Props {
  program: Program;
  shown: Shown;
  at: number;
  verdict: string;
}

export function States({ program, shown: { product, graph, proof }, at, verdict }: Props) {
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
        <ScrollTable label="The states as a table" heads={["state", "locations", "memory", "steps"]}>
          {nodes.map((node, place) => (
            <tr key={place} class={place === at ? "here" : ""}>
              <td>{place}</td>
              <td>{node.lines[0]!.slice(3)}</td>
              <td>{node.lines[1]!.slice(4)}</td>
              <td>{product.steps[place]!.map(([thread, after]) => `thread ${thread} to ${after}`).join("; ") || "end"}</td>
            </tr>
          ))}
        </ScrollTable>
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
