// The playground: a program and a model that somebody types, with the verdicts, the states and the proofs.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { State } from "../address.ts";
import { type Expression, ExpressionError, expressionIn, expressionOf } from "../models.ts";
import { idOf } from "../normal.ts";
import { failingSets, productOf } from "../product.ts";
import { type Program, programOf } from "../program.ts";
import { partsOf } from "../run.ts";
import { graphOf, LimitError } from "../semantics.ts";
import type { Data, Test } from "../store.ts";
import { programIn, TextError } from "../text.ts";
import { Run } from "./run.tsx";
import { resultOf } from "./verdicts.ts";
import { count } from "./words.ts";

/** What the model that somebody types is called. */
const YOURS = "yours";
const EXAMPLE = `THREAD 0
0: if (Exch(Mem[0],1) == 1) goto 0;
1: Mem[0] = 0;

THREAD 1
0: if (Exch(Mem[0],1) == 1) goto 0;
1: Mem[0] = 0;
`;
const EXAMPLE_MODEL = "live & stepped";
/** Tests that are judged before the page looks whether somebody has typed something. */
const AT_A_TIME = 100;

interface Props {
  data: Data;
  state: State;
  onChange: (part: Partial<State>) => void;
}

export function Playground({ data, state, onChange }: Props) {
  const text = state.p === "" ? EXAMPLE : state.p;
  const model = state.m === "" ? EXAMPLE_MODEL : state.m;
  const program = useMemo(() => attempt(() => programIn(text)), [text]);
  const expression = useMemo(() => attempt(() => expressionOf(model)), [model]);
  const models = useMemo(() => {
    const found = new Map(data.models);
    if (typeof expression !== "string") found.set(YOURS, model);
    return found;
  }, [data, model, expression]);
  const verdicts = useMemo(
    () => (typeof program === "string" ? [] : attempt(() => verdictsOf(program, models))),
    [program, models],
  );
  // The reader of programs takes at least one thread, so a program is never empty.
  const id = typeof program === "string" ? "" : idOf(program);
  const known = data.byId.get(id);
  const names = typeof verdicts === "string" ? [] : verdicts.map(({ verdict }) => verdict);
  const shown = names.includes(state.verdict) ? state.verdict : "";

  return (
    <section class="play" aria-labelledby="play-title">
      <h2 id="play-title">Playground</h2>
      <div class="inputs">
        <label>
          Program (text or id)
          <textarea
            rows={9}
            spellcheck={false}
            value={text}
            aria-invalid={typeof program === "string"}
            aria-describedby="program-fault"
            onInput={(event) => onChange({ p: event.currentTarget.value, run: "" })}
          />
        </label>
        <label>
          Model (a set expression)
          <input
            value={model}
            spellcheck={false}
            aria-invalid={typeof expression === "string"}
            aria-describedby="model-fault"
            onInput={(event) => onChange({ m: event.currentTarget.value, run: "" })}
          />
          <span class="hint">live, stepped, all, none, lowest(S), highest(S), upto(S), with -, & and |</span>
        </label>
      </div>
      <p id="program-fault" role="status" class={typeof program === "string" ? "notice" : "unseen"}>
        {typeof program === "string" ? `Program: ${program}.` : ""}
      </p>
      <p id="model-fault" role="status" class={typeof expression === "string" ? "notice" : "unseen"}>
        {typeof expression === "string" ? `Model: ${expression}.` : ""}
      </p>
      {typeof program !== "string" && (
        <>
          <p>
            {id === "" ? "The program has only instructions without effect, so it has no id." : "Its normal form has the id "}
            <span class="id">{id}</span>
            {known && (
              <>
                {" "}
                and is on this page:{" "}
                <button type="button" class="link" onClick={() => onChange({ view: "", test: id, verdict: "", run: "" })}>
                  {known.name}
                </button>
              </>
            )}
            . “synth check” says whether it is a test.
          </p>
          {typeof verdicts === "string" ? (
            <p class="notice">{verdicts}</p>
          ) : (
            <>
              <h3>Verdicts</h3>
              <ul class="choices">
                {verdicts.map(({ verdict, result }) => (
                  <li key={verdict}>
                    <button
                      type="button"
                      aria-pressed={shown === verdict}
                      onClick={() => onChange({ verdict: shown === verdict ? "" : verdict, run: "" })}
                    >
                      {verdict} <span class={`verdict ${result}`}>{result}</span>
                    </button>
                  </li>
                ))}
              </ul>
              <p class="hint">A button shows why.</p>
              <Run
                program={program}
                verdict={shown}
                said=""
                models={models}
                run={state.run}
                onRun={(run) => onChange({ run })}
                onVerdict={(verdict) => onChange({ verdict, run: "" })}
              />
            </>
          )}
        </>
      )}
      {typeof expression !== "string" && <Sides data={data} model={model} expression={expression} onOpen={onChange} />}
    </section>
  );
}

/** Return what some work gives, or the message of what somebody has to mend. */
function attempt<Found>(work: () => Found): Found | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof TextError || error instanceof ExpressionError || error instanceof LimitError) return error.message;
    throw error;
  }
}

function verdictsOf(program: Program, models: ReadonlyMap<string, string>): { verdict: string; result: "pass" | "fail" }[] {
  const graph = graphOf(program);
  return [...models].flatMap(([name, definition]) => {
    const expression = expressionIn(definition);
    if (!expression) return [];
    const product = productOf(graph, expression);
    return (["weak", "strong"] as const).map((form) => ({
      verdict: `${name}.${form}`,
      result: failingSets(product, form).length ? ("fail" as const) : ("pass" as const),
    }));
  });
}

interface SidesProps {
  data: Data;
  model: string;
  expression: Expression;
  onOpen: (part: Partial<State>) => void;
}

interface Changed {
  readonly gained: Test[];
  readonly lost: Test[];
  readonly done: number;
}

/** Which tests of the page change sides, from a verdict of the page to that of the model that somebody types. */
function Sides({ data, model, expression, onOpen }: SidesProps) {
  const [against, setAgainst] = useState("");
  const [changed, setChanged] = useState<Changed | null>(null);
  useEffect(() => {
    setChanged(null);
    if (against === "") return undefined;
    const { form } = partsOf(against);
    const gained: Test[] = [];
    const lost: Test[] = [];
    let done = 0;
    let timer = 0;
    const some = () => {
      const end = Math.min(done + AT_A_TIME, data.tests.length);
      for (; done < end; done += 1) {
        const test = data.tests[done]!;
        const fails = failingSets(productOf(graphOf(programOf(test.id)), expression), form).length > 0;
        const before = resultOf(test, data, against);
        if (before === "fail" && !fails) gained.push(test);
        if (before === "pass" && fails) lost.push(test);
      }
      setChanged({ gained, lost, done });
      if (done < data.tests.length) timer = setTimeout(some) as unknown as number;
    };
    timer = setTimeout(some, 300) as unknown as number;
    return () => clearTimeout(timer);
  }, [data, model, against]);

  return (
    <section aria-labelledby="sides-title">
      <h3 id="sides-title">Which tests of this page change sides</h3>
      <label>
        Compare the same form of the model above with{" "}
        <select value={against} onChange={(event) => setAgainst(event.currentTarget.value)}>
          <option value="">no verdict</option>
          {data.verdicts.map((verdict) => (
            <option key={verdict} value={verdict}>
              {verdict}
            </option>
          ))}
        </select>
      </label>
      <p role="status" class="sides">
        {changed && changed.done < data.tests.length && `${changed.done} of ${count(data.tests.length, "test")} judged`}
        {changed &&
          changed.done === data.tests.length &&
          `${count(changed.gained.length, "test")} pass${changed.gained.length === 1 ? "es" : ""} yours and not ${against}; ` +
            `${count(changed.lost.length, "test")} pass${changed.lost.length === 1 ? "es" : ""} ${against} and not yours`}
      </p>
      {changed &&
        changed.done === data.tests.length &&
        [
          { title: `Pass yours, fail ${against}`, tests: changed.gained },
          { title: `Pass ${against}, fail yours`, tests: changed.lost },
        ].map(
          ({ title, tests }) =>
            tests.length > 0 && (
              <div key={title}>
                <p>{title}:</p>
                <ul>
                  {tests.slice(0, 12).map((test) => (
                    <li key={test.id}>
                      <button
                        type="button"
                        class="link"
                        onClick={() => onOpen({ p: test.id, verdict: "", run: "" })}
                      >
                        {test.name}
                      </button>{" "}
                      <span class="id">{test.id}</span>
                    </li>
                  ))}
                  {tests.length > 12 && <li>and {(tests.length - 12).toLocaleString("en")} more</li>}
                </ul>
              </div>
            ),
        )}
    </section>
  );
}
