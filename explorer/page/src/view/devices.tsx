// What campaigns found: the claims about each device in words, with their evidence, then the figures, and what changed.

import type { State } from "../address.ts";
import { type Claim, type Device, type FigureTable, type Found, hungText, intervalText } from "../results.ts";
import { Copy } from "./copy.tsx";
import { ScrollTable } from "./scroll.tsx";
import { count } from "./words.ts";

/** So many cells of a claim, and pairs of a comparison, are listed. */
const MOST_LISTED = 100;

interface Props {
  found: Found;
  onChange: (part: Partial<State>) => void;
}

type Open = (test: string) => void;

export function Devices({ found, onChange }: Props) {
  const open: Open = (test) => onChange({ view: "tests", test, verdict: "", run: "" });
  return (
    <div class="devices">
      <p>
        Tests ran on {count(found.devices.length, "device")}. Here is what this says about the promises of each device,
        and what the tests did. No claim says that a device keeps a promise for sure.
      </p>
      {found.devices.map((device, place) => (
        <DeviceView key={place} device={device} label={found.labels[place]!} found={found} onOpen={open} onChange={onChange} />
      ))}
      {found.comparison && <Comparison found={found} onOpen={open} onChange={onChange} />}
      <Figures table={found.frequency} />
      <details class="meaning">
        <summary>What the words mean</summary>
        <dl>
          <dt>violates</dt>
          <dd>A test that always ends under this verdict hung on the device, and the hang is confirmed.</dd>
          <dt>consistent with</dt>
          <dd>No such test hung. The true rate of hangs may still be as high as the bound.</dd>
          <dt>inconclusive</dt>
          <dd>Something hung, went wrong or is missing, but no hang is a witness.</dd>
          <dt>not tested</dt>
          <dd>No launch of a test that always ends under this verdict ended or hung.</dd>
          <dt>cell</dt>
          <dd>A test on a device in one setting. A rate of hangs always belongs to one cell.</dd>
          <dt>suspected hang</dt>
          <dd>The driver took the device away, as a watchdog does. It never makes a claim “violates”.</dd>
        </dl>
      </details>
    </div>
  );
}

interface DeviceProps {
  device: Device;
  label: string;
  found: Found;
  onOpen: Open;
  onChange: (part: Partial<State>) => void;
}

function DeviceView({ device, label, found, onOpen, onChange }: DeviceProps) {
  return (
    <section class="device" aria-label={label}>
      <h2>{device.name}</h2>
      <p class="driver">{device.driver || "nothing was launched yet"}</p>
      <p class="driver">{device.launched}</p>
      <div class="short">
        {device.short.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <h3>Claims</h3>
      <ul class="claims">
        {device.claims.map((claim) => (
          <ClaimView key={claim.verdict} claim={claim} label={label} found={found} onOpen={onOpen} />
        ))}
      </ul>
      {device.notes.map((line, number) => (
        <p key={number} class={line.startsWith("  ") ? "under" : ""}>
          {line.trim()}
        </p>
      ))}
      {device.witnesses.length > 0 && <h3>{device.witnesses.length === 1 ? "Witness" : "Witnesses"}</h3>}
      {device.witnesses.map((witness, number) => (
        <div key={number} class="witness">
          <pre>{witness.lines.join("\n")}</pre>
          <div class="buttons">
            <button type="button" onClick={() => onOpen(witness.test)}>
              Open the test {witness.test}
            </button>
            <Copy label="Copy the witness" about={witness.test} text={`${witness.lines.join("\n")}\n`} />
            {witness.command !== "" && <Copy label="Copy the command" about={`for ${witness.test}`} text={witness.command} />}
          </div>
        </div>
      ))}
      <button type="button" onClick={() => onChange({ view: "tests", device: label, result: "hung" })}>
        Show the tests that hung on {device.name}
      </button>
    </section>
  );
}

interface ClaimProps {
  claim: Claim;
  label: string;
  found: Found;
  onOpen: Open;
}

function ClaimView({ claim, label, found, onOpen }: ClaimProps) {
  const listed = claim.witnesses.length ? claim.witnesses : claim.cells;
  const several = claim.witnesses.length ? `The ${listed.length} witnesses` : `The ${listed.length} cells that count`;
  const what = listed.length > 1 ? several : claim.witnesses.length ? "The witness" : "The cell that counts";
  return (
    <li>
      <p>
        <strong class={`status ${claim.status.split(" ")[0]}`}>{claim.status}</strong> <b>{claim.verdict}</b>
        {claim.evidence === "" ? "" : `: ${claim.evidence}`} <Copy label="Copy" about={`the claim about ${claim.verdict} on ${label}`} text={claim.copy} />
      </p>
      {listed.length > 0 && (
        <details>
          <summary>{what}</summary>
          <ScrollTable
            label={`${what} for ${claim.verdict} on ${label}`}
            heads={["test", "setting", "hung", "rate (95 %)"]}
          >
            {listed.slice(0, MOST_LISTED).map((place) => {
              const cell = found.cells[place]!;
              return (
                <tr key={place}>
                  <td>
                    <TestLink test={cell.test} onOpen={onOpen} />
                  </td>
                  <td>{cell.setting}</td>
                  <td>{hungText(cell)}</td>
                  <td>{intervalText(cell)}</td>
                </tr>
              );
            })}
          </ScrollTable>
          {listed.length > MOST_LISTED && <p>and {(listed.length - MOST_LISTED).toLocaleString("en")} more</p>}
        </details>
      )}
    </li>
  );
}

function TestLink({ test, onOpen }: { test: string; onOpen: Open }) {
  return (
    <button type="button" class="link id" onClick={() => onOpen(test)}>
      {test}
    </button>
  );
}

function Figures({ table }: { table: FigureTable }) {
  return (
    <section aria-label={table.title}>
      <h2>{table.title}</h2>
      <ScrollTable label={`${table.title}, as a table`} kind="figures" heads={table.columns}>
        {table.rows.map((row, number) => (
          <tr key={number}>
            {row.map((entry, place) => (
              <td key={place} class={typeof entry === "number" ? "number" : ""}>
                {typeof entry === "number" ? entry.toLocaleString("en") : (entry ?? "")}
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
      {table.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </section>
  );
}

/** What changed between two campaigns: the sentences of `synth campaign compare`, and the cells. */
function Comparison({ found, onOpen, onChange }: Props & { onOpen: Open }) {
  const { lines, pairs } = found.comparison!;
  const changed = pairs.filter((pair) => pair.changed);
  return (
    <section class="comparison" aria-label="What changed">
      <h2>
        What changed from {found.campaigns[0]} to {found.campaigns[1]}
      </h2>
      {lines.map((line, number) => (
        <p key={number} class={line.startsWith("  ") ? "under" : ""}>
          {line.trim()}
        </p>
      ))}
      {changed.length > 0 && (
        <button type="button" onClick={() => onChange({ view: "tests", among: "changed" })}>
          Show the tests that changed
        </button>
      )}
      {pairs.length > 0 && (
        <details>
          <summary>All {count(pairs.length, "cell")} of both campaigns</summary>
          <ScrollTable
            label="The cells of both campaigns"
            heads={["test", "setting", `hung in ${found.campaigns[0]}`, `hung in ${found.campaigns[1]}`, "p, corrected", "changed"]}
          >
            {pairs.slice(0, MOST_LISTED).map((pair, number) => (
              <tr key={number}>
                <td>
                  <TestLink test={pair.test} onOpen={onOpen} />
                </td>
                <td>{pair.setting}</td>
                <td>{pair.before}</td>
                <td>{pair.after}</td>
                <td>{pair.p.toPrecision(2)}</td>
                <td>{pair.changed ? "yes" : "no"}</td>
              </tr>
            ))}
          </ScrollTable>
          {pairs.length > MOST_LISTED && <p>and {(pairs.length - MOST_LISTED).toLocaleString("en")} more</p>}
        </details>
      )}
    </section>
  );
}
