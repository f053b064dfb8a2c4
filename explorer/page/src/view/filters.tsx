// The choices of which tests are shown.

import { amongOf, EMPTY, type Side, sizesOf, sortable, type State } from "../address.ts";
import { OUTCOMES } from "../results.ts";
import type { Data } from "../store.ts";
import { useMemo } from "preact/hooks";

interface Props {
  data: Data;
  state: State;
  onChange: (part: Partial<State>) => void;
}

export function Filters({ data, state, onChange }: Props) {
  const words = useMemo(
    () => ({
      sizes: sizesOf(data),
      idioms: [...new Set(data.tests.map((test) => test.idiom))].filter(Boolean).sort(),
      contained: [...new Set(data.tests.flatMap((test) => test.contains))].sort(),
      minimal: data.tests.some((test) => test.minimal !== null),
    }),
    [data],
  );
  const among = amongOf(data);
  const sort = state.sort.replace(/^-/, "");
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        Search ids, names and programs
        <input
          type="search"
          value={state.q}
          placeholder="for example Exch or goto END"
          onInput={(event) => onChange({ q: event.currentTarget.value })}
        />
      </label>
      <div class="choices">
        {words.sizes.length > 1 && (
          <Choice label="Size" value={state.size} onChange={(size) => onChange({ size })} options={plain(words.sizes)} />
        )}
        {among.length > 0 && (
          <Choice label={data.found ? "Corpora and campaigns" : "Corpora"} value={state.among} onChange={(among) => onChange({ among })} options={among} />
        )}
        {words.idioms.length > 0 && (
          <Choice
            label="Is the idiom"
            value={state.idiom}
            onChange={(idiom) => onChange({ idiom })}
            options={plain(words.idioms)}
          />
        )}
        {words.contained.length > 0 && (
          <Choice
            label="Contains the idiom"
            value={state.contains}
            onChange={(contains) => onChange({ contains })}
            options={plain(words.contained)}
          />
        )}
        {words.minimal && (
          <Choice
            label="Minimal"
            value={state.minimal}
            onChange={(minimal) => onChange({ minimal: minimal as State["minimal"] })}
            options={plain(["yes", "no"])}
          />
        )}
        {data.found && (
          <>
            <Choice
              label="On the device"
              value={state.device}
              onChange={(device) => onChange({ device })}
              options={plain(data.found.labels)}
            />
            <Choice
              label="the test there"
              value={state.result}
              any="did anything"
              onChange={(result) => onChange({ result })}
              options={Object.entries(OUTCOMES)}
            />
          </>
        )}
        <Choice
          label="Sort by"
          value={sort === "id" ? "" : sort}
          any="id"
          onChange={(column) => onChange({ sort: column })}
          options={plain(sortable(data).slice(1))}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={state.sort.startsWith("-")}
            onChange={(event) => onChange({ sort: `${event.currentTarget.checked ? "-" : ""}${sort || "id"}` })}
          />
          Last first
        </label>
      </div>
      <fieldset>
        <legend>Verdicts</legend>
        <div class="choices">
          {data.verdicts.map((verdict) => (
            <Choice
              key={verdict}
              label={verdict}
              value={state.verdicts[verdict] ?? ""}
              onChange={(side) => {
                const { [verdict]: _, ...others } = state.verdicts;
                onChange({ verdicts: side === "" ? others : { ...others, [verdict]: side as Side } });
              }}
              options={plain(["pass", "fail"])}
            />
          ))}
        </div>
      </fieldset>
      {state.signature !== "" && (
        <p>
          Only tests with the signature <code>{state.signature}</code>.{" "}
          <button type="button" onClick={() => onChange({ signature: "" })}>
            All signatures
          </button>
        </p>
      )}
      <button type="button" onClick={() => onChange({ ...EMPTY, view: state.view, test: state.test })}>
        Show all tests
      </button>
    </form>
  );
}

function plain(words: readonly string[]): [string, string][] {
  return words.map((word) => [word, word]);
}

interface ChoiceProps {
  label: string;
  value: string;
  any?: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

function Choice({ label, value, any = "any", options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} class={value === "" ? "" : "chosen"} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{any}</option>
        {options.map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
