// The whole page: what it holds, the choices, the table, and the test that is open.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, type State, stateOf, viewOf } from "../address.ts";
import { shownTests } from "../filter.ts";
import type { Data } from "../store.ts";
import { Devices } from "./devices.tsx";
import { Filters } from "./filters.tsx";
import { Playground } from "./play.tsx";
import { Table } from "./table.tsx";
import { TestView } from "./test.tsx";
import { columnsOf, LEGEND } from "./verdicts.ts";
import { count } from "./words.ts";

/** What somebody types or steps through. It changes the address, but makes no entry of the history. */
const TYPED = ["q", "run", "p", "m"];

export function App({ data }: { data: Data }) {
  const [{ state, problems }, setFound] = useState(() => stateOf(location.hash, data));
  const table = useRef<HTMLDivElement>(null);
  const typing = useRef(0);

  useEffect(() => {
    const read = () => setFound(stateOf(location.hash, data));
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, [data]);

  /** Change the state and the address. What somebody may want to go back to becomes an entry of the history. */
  function change(part: Partial<State>) {
    const next = { ...state, ...part };
    const address = addressOf(next) || "#";
    // Browsers refuse an address that changes with every key.
    clearTimeout(typing.current);
    if (Object.keys(part).every((word) => TYPED.includes(word))) {
      typing.current = setTimeout(() => history.replaceState(null, "", address), 200) as unknown as number;
    } else history.pushState(null, "", address);
    setFound({ state: next, problems: [] });
  }

  function close() {
    change({ test: "", verdict: "", run: "" });
    table.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  }

  const columns = useMemo(() => columnsOf(data), [data]);
  const { test: open, verdict: _verdict, run: _run, ...choices } = state;
  const tests = useMemo(() => shownTests(data, state), [data, JSON.stringify(choices)]);
  const test = data.byId.get(open);
  const view = viewOf(state, data);
  const named = data.corpora.map(({ kind, name, tests }) => `${kind === "campaign" ? "campaign " : ""}${name}: ${count(tests, "test")}`);

  return (
    <div
      class={`page${test ? " with-test" : ""}`}
      onKeyDown={(event) => event.key === "Escape" && test && close()}
    >
      <header>
        <h1>Progress litmus tests</h1>
        <nav aria-label="Views">
          {data.found && (
            <button
              type="button"
              aria-pressed={view === "devices"}
              onClick={() => change({ view: "devices", test: "", verdict: "", run: "" })}
            >
              Devices
            </button>
          )}
          <button
            type="button"
            aria-pressed={view === "tests"}
            onClick={() => change({ view: data.found ? "tests" : "", verdict: "", run: "" })}
          >
            Tests
          </button>
          <button
            type="button"
            aria-pressed={view === "play"}
            onClick={() => change({ view: "play", test: "", verdict: "", run: "" })}
          >
            Playground
          </button>
        </nav>
        <p>{named.join("; ")}</p>
      </header>
      <main>
        <Notices data={data} problems={problems} />
        {view === "play" && <Playground data={data} state={state} onChange={change} />}
        {view === "devices" && <Devices found={data.found!} onChange={change} />}
        <div class="columns" hidden={view !== "tests"}>
          <div class="list" ref={table}>
            <p class="lead">
              Each row is a tiny concurrent program. Each model is a promise about which threads keep running. A letter
              says whether the program always ends under the promise.
            </p>
            <details class="filter-box" open={matchMedia("(min-width: 60rem)").matches}>
              <summary>Filters</summary>
              <Filters data={data} state={state} onChange={change} />
            </details>
            <p role="status" class="count">
              {tests.length === data.tests.length
                ? count(tests.length, "test")
                : `${tests.length.toLocaleString("en")} of ${count(data.tests.length, "test")}`}
            </p>
            <p class="legend" id="keys">
              {LEGEND.map((cell) => (
                <span key={cell.kind}>
                  <span class={`verdict ${cell.kind}`}>{cell.letter}</span> {cell.words}: {cell.meaning}
                </span>
              ))}
              <span>Arrow keys choose a test, Enter opens it, Escape closes it.</span>
            </p>
            <Table
              data={data}
              tests={tests}
              columns={columns}
              sort={state.sort || "id"}
              open={open}
              onSort={(sort) => change({ sort: sort === "id" ? "" : sort })}
              onOpen={(id) => change({ test: id, verdict: "", run: "" })}
            />
          </div>
          {test && (
            <TestView
              data={data}
              test={test}
              state={state}
              onChange={change}
              onClose={close}
            />
          )}
        </div>
      </main>
    </div>
  );
}

/** What a reader must know before anything else: corpora that lack tests, and parts of the address that fit nothing. */
function Notices({ data, problems }: { data: Data; problems: readonly string[] }) {
  const lines = data.corpora
    .filter((corpus) => !corpus.complete)
    .map(({ kind, name, incomplete, question }) =>
      kind === "campaign"
        ? `The campaign ${name} is not finished: ${incomplete}.`
        : `The corpus ${name} is incomplete: ${incomplete}. It may lack tests of ${question}.`,
    );
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="notice">
          {line}
        </p>
      ))}
      {problems.map((line) => (
        <p key={line} class="notice" role="alert">
          {line}
        </p>
      ))}
    </>
  );
}
