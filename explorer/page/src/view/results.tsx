// What a test did on devices: a row for each cell, with the rate of hangs and its interval.

import { type Cell, type Found, hungText, intervalText } from "../results.ts";
import { Copy } from "./copy.tsx";
import { ScrollTable } from "./scroll.tsx";
import { count } from "./words.ts";

export function TestResults({ found, test }: { found: Found; test: string }) {
  const cells = found.byTest.get(test) ?? [];
  return (
    <>
      <h3>On devices</h3>
      {cells.length === 0 ? (
        <p>No campaign of this page ran this test.</p>
      ) : (
        <ScrollTable
          label="What the test did on devices"
          kind="results"
          heads={["device", "setting", "hung", "rate (95 %)", "suspected hangs", "run it again"]}
        >
          {cells.map((cell, number) => (
            <Row key={number} cell={cell} found={found} number={number} />
          ))}
        </ScrollTable>
      )}
    </>
  );
}

function Row({ cell, found, number }: { cell: Cell; found: Found; number: number }) {
  const campaign = found.campaigns.length > 1 ? ` in ${found.campaigns[cell.campaign]}` : "";
  const besides = [cell.rate, cell.trouble].filter(Boolean).join(" ");
  return (
    <>
      <tr>
        <th scope="row">
          {found.labels[cell.device]}
          {campaign}
        </th>
        <td>{cell.setting}</td>
        <td class={cell.hung > 0 ? "hung" : ""}>{`${hungText(cell)}${cell.counted ? " launches" : ""}`}</td>
        <td>{intervalText(cell)}</td>
        <td>{cell.suspected ? count(cell.suspected, "launch", "launches") : cell.run ? "none" : "not run"}</td>
        <td>{cell.command !== "" && <Copy label="Copy" about={`the command of row ${number + 1}`} text={cell.command} />}</td>
      </tr>
      {besides !== "" && (
        <tr class="besides">
          <td colSpan={6}>{besides}</td>
        </tr>
      )}
    </>
  );
}
