// The order of verdicts, drawn: an arrow leads from a verdict to a fairer one. Those that the test passes are filled.

import { useMemo } from "preact/hooks";
import type { Data, Test } from "../store.ts";
import { Drawing } from "./drawing.tsx";
import { resultOf } from "./verdicts.ts";
import { listed } from "./words.ts";

export function Order({ data, test }: { data: Data; test: Test }) {
  const groups = useMemo(() => groupsOf(data.verdicts, data.order), [data]);
  if (!data.order.length) return null;
  const passed = data.verdicts.filter((verdict) => resultOf(test, data, verdict) === "pass");
  const nodes = groups.names.map((names) => {
    const passes = resultOf(test, data, names[0]!) === "pass";
    return { lines: [...names, passes ? "P passes" : "F fails"], kind: passes ? "passed" : "failed" };
  });
  const edges = groups.edges.map(([from, to]) => ({ from, to, label: "", kind: "" }));
  return (
    <>
      <h3>Place in the order of verdicts</h3>
      <p>An arrow leads to a verdict that promises at least as much.</p>
      <Drawing
        nodes={nodes}
        edges={edges}
        shape={data.verdicts.join()}
        label={`The order of the verdicts. The test passes ${passed.length ? listed(passed) : "none of them"}.`}
      />
    </>
  );
}

/** Return the verdicts that are equally fair together, and the arrows that follow from no others. */
function groupsOf(verdicts: readonly string[], order: readonly (readonly [number, number])[]) {
  const pairs = new Set(order.map(([one, other]) => `${one},${other}`));
  const isBelow = (one: number, other: number) => pairs.has(`${one},${other}`);
  const groups: number[][] = [];
  for (const verdict of verdicts.keys()) {
    const equal = groups.find(([one]) => isBelow(one!, verdict) && isBelow(verdict, one!));
    if (equal) equal.push(verdict);
    else groups.push([verdict]);
  }
  const below = (one: number[], other: number[]) => one !== other && isBelow(one[0]!, other[0]!);
  const edges = groups.flatMap((one, from) =>
    groups.flatMap((other, to) => {
      const isDirect = below(one, other) && !groups.some((between) => below(one, between) && below(between, other));
      return isDirect ? [[from, to] as const] : [];
    }),
  );
  return { names: groups.map((group) => group.map((verdict) => verdicts[verdict]!)), edges };
}
