import type { Visibility } from "../../domain/visibility.ts";
import { maxListRows } from "../input/parameters.ts";
import type { RouteDeps } from "../route-deps.ts";
import { type ExportPart, type ExportRequest, exportParts } from "./pages.ts";
import type { ExportWindow } from "./windows.ts";

export interface WantedDevice {
  readonly id: string;
  /** The internal one, by which some lists are ordered. */
  readonly number: number;
}

/** Asking for each of more devices costs more than to read the list of all, and leave out the others. */
export const maxAskedByDevice = 50;

/** The rows of all devices that are in memory at once, about. */
const rowsAhead = 5_000;

/** The list of some devices, each read by itself, in the order of the list of all. */
export async function* partsByDevice(
  deps: RouteDeps,
  visibility: Visibility,
  request: ExportRequest,
  devices: readonly WantedDevice[],
): AsyncGenerator<ExportPart, void, void> {
  const { list, windows, onlyBegun = false } = request;
  const rowsPerPage = Math.min(maxListRows, Math.ceil(rowsAhead / devices.length));
  const partsOf = (window: ExportWindow | null, index: number, { id }: WantedDevice) => {
    const filters = { ...request.filters, device_id: id };
    const ofWindow = { windows: [window], onlyBegun: onlyBegun || index > 0 };
    return exportParts(
      deps,
      visibility,
      { ...request, ...ofWindow, filters, rowsPerPage },
      { window: 0, cursor: null },
    );
  };
  const { order = "device" } = list;
  const byId = devices.toSorted((one, other) => compare(one.id, other.id));
  for (const [index, window] of windows.entries()) {
    if (order === "device") {
      for (const device of byId) yield* partsOf(window, index, device);
    } else {
      const { tie } = order;
      const runs = devices.map((device) => {
        const keyOf = (record: Readonly<Record<string, unknown>>): Key => [
          String(record[list.timeField ?? ""]),
          tie === "number" ? device.number : String(record[tie]),
        ];
        return new Run(partsOf(window, index, device), keyOf);
      });
      yield* merged(runs);
    }
  }
}

/** The time as the API writes it, which sorts as its text, and what decides between records of one time. */
type Key = readonly [time: string, tie: string | number];

class Run {
  readonly #parts: AsyncGenerator<ExportPart, void, void>;
  readonly #keyOf: (record: Readonly<Record<string, unknown>>) => Key;
  #lines: readonly string[] = [];
  #index = 0;
  /** Of the first record; null: none is in memory. */
  key: Key | null = null;

  constructor(
    parts: AsyncGenerator<ExportPart, void, void>,
    keyOf: (record: Readonly<Record<string, unknown>>) => Key,
  ) {
    this.#parts = parts;
    this.#keyOf = keyOf;
  }

  /** Reads on, after the last record in memory. False: there are no more. */
  async read(): Promise<boolean> {
    const { value, done } = await this.#parts.next();
    if (done) return false;
    [this.#lines, this.#index] = [value.records, 0];
    this.#look();
    return true;
  }

  take(): string {
    const line = this.#lines[this.#index++] as string;
    this.#look();
    return line;
  }

  #look(): void {
    const line = this.#lines[this.#index];
    this.key = line === undefined ? null : this.#keyOf(JSON.parse(line));
  }
}

/** All records in order. Every page that is read is a part, perhaps without a record: others want to be answered in between. */
async function* merged(all: readonly Run[]): AsyncGenerator<ExportPart, void, void> {
  let runs = all;
  while (runs.length > 0) {
    const empty = runs.find(({ key }) => key === null);
    const hasMore = empty === undefined || (await empty.read());
    if (!hasMore) runs = runs.filter((run) => run !== empty);
    yield { records: hasMore ? takeInOrder(runs) : [], next: null };
  }
}

/** As long as the first record of each is known. There are few of them: each time the least is looked for. */
function takeInOrder(runs: readonly Run[]): string[] {
  const records: string[] = [];
  while (runs.every(({ key }) => key !== null)) {
    const first = runs.reduce((least, run) => (isBefore(run, least) ? run : least));
    records.push(first.take());
  }
  return records;
}

function isBefore({ key }: Run, { key: other }: Run): boolean {
  return key !== null && other !== null && (compare(key[0], other[0]) || compare(key[1], other[1])) < 0;
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
