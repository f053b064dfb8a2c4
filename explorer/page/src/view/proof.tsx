// The proof of a verdict: an execution for ever, step by step, or the rank of the state that is shown.

import { instructionText, type Program } from "../program.ts";
import { type Proof, type Shown } from "../run.ts";
import { ScrollTable } from "./scroll.tsx";
import { threadsIn } from "./words.ts";

interface Props {
  proof: Proof;
  program: Program;
  shown: Shown;
  at: number;
  state: number;
}

export function ProofView({ proof, program, shown, at, state }: Props) {
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
              : `Thread ${helper} is promised a step, and that step lowers it.`}
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
      <ScrollTable
        label="The execution, step by step"
        kind="lasso"
        heads={["step", "memory", "promised", "thread", "instruction"]}
      >
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
      </ScrollTable>
    </>
  );
}
