// What campaigns found. The sentences come with the data, in the words of `synth campaign analyse`; this page computes no
// claim of its own. `synth_explorer/results.py` describes the same types.

/**
 * A cell: a test on a device in one setting. `hung` of `counted` launches hung; if `least`, more may have hung. `run` says
 * whether anything was launched.
 */
export interface Cell {
  readonly test: string;
  readonly device: number;
  readonly campaign: number;
  readonly setting: string;
  readonly hung: number;
  readonly counted: number;
  readonly run: boolean;
  readonly least: boolean;
  readonly interval: readonly [number, number] | null;
  readonly rate: string;
  readonly suspected: number;
  readonly trouble: string;
  readonly command: string;
}

export interface Claim {
  readonly verdict: string;
  readonly status: "violates" | "consistent with" | "inconclusive" | "not tested";
  readonly evidence: string;
  /** Places of the cells that count, and of those that speak against the verdict. */
  readonly cells: readonly number[];
  readonly witnesses: readonly number[];
  readonly copy: string;
}

export interface Witness {
  readonly test: string;
  readonly lines: readonly string[];
  readonly command: string;
}

export interface Device {
  readonly name: string;
  /** A name that no other device of the page has. */
  readonly label: string;
  readonly driver: string;
  readonly launched: string;
  readonly claims: readonly Claim[];
  readonly short: readonly string[];
  readonly notes: readonly string[];
  readonly witnesses: readonly Witness[];
}

export interface FigureTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly notes: readonly string[];
}

export interface Pair {
  readonly test: string;
  readonly setting: string;
  readonly before: string;
  readonly after: string;
  readonly p: number;
  readonly changed: boolean;
}

/** What the campaigns of the page found, as it is packed. */
export interface Results {
  readonly campaigns: readonly string[];
  readonly devices: readonly Device[];
  readonly cells: readonly Cell[];
  readonly frequency: FigureTable;
  readonly comparison: { readonly lines: readonly string[]; readonly pairs: readonly Pair[] } | null;
}

/** Results with what the page looks up in them: a name of its own for each device, and the cells of each test. */
export interface Found extends Results {
  readonly labels: readonly string[];
  readonly byTest: ReadonlyMap<string, readonly Cell[]>;
  /** The tests whose rate of hangs differs between the two campaigns. */
  readonly changed: ReadonlySet<string>;
}

export function foundIn(results: Results): Found {
  const byTest = new Map<string, Cell[]>();
  for (const cell of results.cells) {
    const known = byTest.get(cell.test);
    if (known) known.push(cell);
    else byTest.set(cell.test, [cell]);
  }
  const labels = results.devices.map(({ label }) => label);
  const changed = new Set(results.comparison?.pairs.filter((pair) => pair.changed).map((pair) => pair.test));
  return { ...results, labels, byTest, changed };
}

/** What a test did on a device. A launch that hung says more than all others. */
export const OUTCOMES = {
  hung: "hung",
  suspected: "only suspected hangs",
  never: "never hung",
  none: "without a result",
} as const;
export type Outcome = keyof typeof OUTCOMES;

export function outcomeOf(cells: readonly Cell[]): Outcome {
  if (cells.some((cell) => cell.hung > 0)) return "hung";
  if (cells.some((cell) => cell.suspected > 0)) return "suspected";
  return cells.some((cell) => cell.counted > 0) ? "never" : "none";
}

/** Return the cells of a test on a device, or on any device if there is no label. */
export function cellsOf(found: Found, test: string, label: string): readonly Cell[] {
  const cells = found.byTest.get(test) ?? [];
  return label === "" ? cells : cells.filter((cell) => found.labels[cell.device] === label);
}

/** Return the cell that hung at the highest rate; of equals, the one with the most launches, or with any. */
export function worstOf(cells: readonly Cell[]): Cell | null {
  const order = (cell: Cell) => (cell.counted ? cell.hung / cell.counted : -1);
  const rest = (cell: Cell) => cell.counted + Number(cell.run);
  return [...cells].sort((one, other) => order(other) - order(one) || rest(other) - rest(one))[0] ?? null;
}

/** Return how many launches of a cell hung, such as `5 of 5`, or that nothing is known. */
export function hungText(cell: Cell): string {
  if (!cell.counted) return cell.run ? "no result" : "not run";
  return cell.least && cell.hung ? "at least 1" : `${cell.hung} of ${cell.counted}`;
}

/** Return the 95 % interval of the rate, such as `51.0–100.0 %`, or nothing if no sample tells it. */
export function intervalText({ interval, counted }: Cell): string {
  if (!interval || !counted) return "";
  const [low, high] = interval.map((end) => (100 * end).toFixed(1));
  return `${low}–${high} %`;
}
