import type { Chance } from "./chance.ts";
import type { ComparedFleet } from "./fleet.ts";

export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: DescribedSchema;
}

export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const hourMs = 3_600_000;
const junk = [
  "",
  "%",
  "%zz",
  "%00",
  "%FF%FE",
  "'",
  "';--",
  "\\",
  "$1",
  "__proto__",
  "null",
  "-1",
  "0",
  "1e999",
  "NaN",
  "9".repeat(40),
  "%EF%BC%91",
  "+1",
  "TRUE",
  "yes",
  "a,b",
  "*",
  "x".repeat(3_000),
  "%F0%9F%9A%9A",
];
const searches = [
  "van",
  "VAN",
  "a",
  "%25",
  "_",
  "%5C",
  "reefer",
  "B-",
  "1",
  "%C3%9C",
  "%F0%9F%9A%9A",
  "35",
  "no%20such%20vehicle",
];

/** Values for the parameters of a description: most of them fit, some do not. */
export class Values {
  constructor(
    readonly chance: Chance,
    readonly fleet: ComparedFleet,
    /** About when the fleet's frames are, and now. */
    readonly times: { readonly from: number; readonly to: number },
  ) {}

  /** As a query carries it. */
  of({ name, schema }: DescribedParameter): string {
    const { chance, fleet } = this;
    if (chance.is(0.04)) return chance.of(junk);
    if (name === "device_id") return this.device();
    if (name === "imei") return this.#changed(chance.of(fleet.devices).imei);
    if (name === "user_id") return this.#changed(chance.of(fleet.users));
    if (name === "geofence_id") return this.#changed(chance.of(fleet.fences));
    if (name === "search") return chance.of(searches);
    if (name === "kind") return chance.of(["fuel", "temperature", "tyre", "oil"]);
    if (schema.enum) return String(chance.of(schema.enum));
    if (schema.type === "boolean") return chance.of(["true", "false"]);
    if (schema.type === "integer") return this.#integer(schema);
    if (schema.format === "date-time") return this.#time(chance.between(this.times.from, this.times.to));
    return chance.of(junk);
  }

  device(): string {
    const { id, imei } = this.chance.of(this.fleet.devices);
    return this.#changed(this.chance.is(0.7) ? id : imei);
  }

  /** A window of minutes to days. */
  window(): { readonly from: string; readonly to: string } {
    const { chance } = this;
    const length = chance.of([hourMs / 6, hourMs, 6 * hourMs, 24 * hourMs, 72 * hourMs]);
    const from = chance.between(this.times.from, this.times.to);
    return { from: this.#time(from), to: this.#time(from + length) };
  }

  #integer({ minimum = 0, maximum = 1_000 }: DescribedSchema): string {
    const { chance } = this;
    return String(
      chance.is(0.8) ? chance.between(minimum, Math.min(maximum, 40)) : chance.between(minimum - 2, maximum + 2),
    );
  }

  /** In one of the forms that are read. */
  #time(ms: number): string {
    const iso = new Date(ms).toISOString();
    return this.chance.weighted([
      [5, iso],
      [2, `${iso.slice(0, 19)}Z`],
      [1, iso.slice(0, 10)],
      [1, `${new Date(ms + 2 * hourMs).toISOString().slice(0, 19)}%2B02:00`],
      [1, `${new Date(ms + 2 * hourMs).toISOString().slice(0, 19)}+02:00`],
      [1, iso.slice(0, 19)],
    ]);
  }

  #changed(id: string): string {
    return this.chance.weighted([
      [30, id],
      [1, id.toUpperCase()],
      [1, `${id}0`],
      [1, "00000000-0000-4000-8000-000000000000"],
    ]);
  }
}
