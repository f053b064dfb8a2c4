// The code of a test for a target, as `synth emit` writes it, with the command that writes everything that runs it.

import { useMemo } from "preact/hooks";
import type { State } from "../address.ts";
import { type Code, codeOf, launchesOf } from "../code.ts";
import { LimitError } from "../semantics.ts";
import type { Data, Test } from "../store.ts";
import { Copy } from "./copy.tsx";

interface Props {
  data: Data;
  test: Test;
  state: State;
  onChange: (part: Partial<State>) => void;
}

export function CodeView({ data, test, state, onChange }: Props) {
  const { code } = data;
  const targets = Object.keys(code.targets);
  const target = state.target;
  const launches = target === "" ? new Map() : launchesOf(code, target, test.threads);
  const usual = target === "" ? "" : code.targets[target]!.mapping;
  const mapping = launches.has(state.mapping) ? state.mapping : usual;
  const option = mapping === usual ? "" : ` --mapping ${mapping}`;
  const command = `synth emit --target ${target}${option} ${test.id} --out ${test.id}-${target}`;
  return (
    <>
      <h3>Code</h3>
      <div class="choices">
        <label>
          Code for{" "}
          <select value={target} onChange={(event) => onChange({ target: event.currentTarget.value, mapping: "" })}>
            <option value="">no target</option>
            {targets.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {launches.size > 0 && (
          <label>
            Mapping{" "}
            <select
              value={mapping}
              onChange={({ currentTarget: { value } }) => onChange({ mapping: value === usual ? "" : value })}
            >
              {[...launches].map(([name, { says }]) => (
                <option key={name} value={name} title={says}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {target !== "" && state.mapping !== "" && mapping !== state.mapping && (
        <p class="notice">The target {target} cannot run this test with the mapping {state.mapping}, which the address names.</p>
      )}
      {target !== "" && (
        <>
          <p>
            This command writes the code and all that builds and runs it: <code>{command}</code>{" "}
            <Copy label="Copy" about="the command" text={command} />
          </p>
          {launches.size === 0 ? (
            <p>The page shows no code of tests with so many threads.</p>
          ) : (
            <Source code={code} test={test} target={target} mapping={mapping} />
          )}
        </>
      )}
    </>
  );
}

interface SourceProps {
  code: Code;
  test: Test;
  target: string;
  mapping: string;
}

function Source({ code, test, target, mapping }: SourceProps) {
  const text = useMemo(() => codeOr(code, test.id, target, mapping), [code, test.id, target, mapping]);
  if (text === null) return <p>The page shows no code of tests with so many states.</p>;
  return (
    <>
      <p>
        The source file with this test: <Copy label="Copy the code" text={text} />
      </p>
      <pre class="source" role="region" aria-label={`The code for ${target}`} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}

/** Return the code, or null if the test has more states than the page judges, for its comments name the verdicts. */
function codeOr(code: Code, id: string, target: string, mapping: string): string | null {
  try {
    return codeOf(code, id, target, mapping);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}
