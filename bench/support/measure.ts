import { type FilledStore, templateDrive, templateOf } from "./filled-store.ts";
import { imeiOf } from "./fleet.ts";

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures on several stores, in turns, and prints the figures. */
export type Measure = (stores: readonly FilledStore[], options: MeasureOptions) => Promise<void>;

/** The store among the others: `now 100 M`. */
export function labelOf({ version, size }: FilledStore): string {
  const millions = size.frames / 1_000_000;
  return `${version.name} ${millions >= 1 ? Math.round(millions) : millions} M`;
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** One column for each store. */
export function printHead(title: string, stores: readonly FilledStore[]): void {
  console.log(`\n${title.padEnd(34)}${stores.map((store) => labelOf(store).padStart(16)).join("")}`);
}

export function printRow(name: string, cells: readonly string[]): void {
  console.log(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(16)).join("")}`);
}

const devicesAlive = 500;
const framesPerBody = 10;

/** Frames of parked vehicles after all that are stored: bodies of ten, each vehicle once in a while, a second apart. */
export class LiveFrames {
  readonly #store: FilledStore;
  readonly #parked = new Map<number, object>();
  #sent = 0;

  constructor(store: FilledStore) {
    this.#store = store;
  }

  bodies(count: number): string[] {
    return Array.from({ length: count }, () =>
      JSON.stringify(Array.from({ length: framesPerBody }, () => this.#next(this.#sent++))),
    );
  }

  #next(number: number): object {
    const { size, lastAt } = this.#store;
    const devices = Math.min(devicesAlive, size.devices);
    const device = number % devices;
    const at = lastAt + 60_000 + Math.floor(number / devices) * 1_000 + device;
    return { ...this.#lastOf(templateOf(device, size.devices)), imei: imeiOf(device + 1), ...timesAt(at) };
  }

  #lastOf(template: number): object {
    let last = this.#parked.get(template);
    if (last === undefined) {
      last = [...templateDrive(this.#store, template)].at(-1) ?? {};
      this.#parked.set(template, last);
    }
    return last;
  }
}

/** A frame that was recorded then, and is received now. */
export function timesAt(at: number): { readonly recorded_at: string; readonly received_at: undefined } {
  return { recorded_at: new Date(at).toISOString(), received_at: undefined };
}
