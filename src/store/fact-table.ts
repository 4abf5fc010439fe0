import type { Fact } from "../domain/facts.ts";
import { bigint, type Column } from "./columns.ts";
import type { ColumnType, Row } from "./database.ts";
import type { DeviceKey } from "./device-key.ts";
import type { Value } from "./sql.ts";
import type { Table } from "./table.ts";

/** Tables of facts: each column is declared with how to make its value from the fact. */

/** A device with its public id, from which the ids of its facts are made. */
export interface FactOwner extends DeviceKey {
  readonly deviceId: string;
}

/** The same with the time zone by which its days are counted. */
export interface DayOwner extends FactOwner {
  readonly timeZone: string;
}

type FactColumns<Stored extends Fact, Owner extends FactOwner> = Readonly<
  Record<string, readonly [ColumnType, (fact: Stored, owner: Owner) => Value]>
>;

type DeclaredBy<Own> = {
  readonly [Name in keyof Own]: Own[Name] extends readonly [ColumnType, (...given: never) => infer Made]
    ? Column<Made extends boolean ? number | boolean : Made>
    : never;
};

const ofDevice = { account_id: bigint, device: bigint } as const;
const finality = { final_at: bigint } as const;

export interface FactTable<Stored extends Fact, Own, Owner extends FactOwner>
  extends Table<typeof ofDevice & Own & typeof finality> {
  /** The columns that come from the fact. */
  readonly own: Own;
  /** `finalAt`: the time of the frame that completed the fact. */
  rowOf(owner: Owner, fact: Stored, finalAt: number): Row;
}

/** What a list shows of a row's device. */
export interface DeviceOfRow {
  readonly device_id: string;
  readonly imei: string;
}

/** `key` identifies a row within its device. */
export function factTable<Stored extends Fact, Owner extends FactOwner = FactOwner>() {
  return <const Own extends FactColumns<Stored, Owner>>(
    name: string,
    key: readonly (keyof Own & string)[],
    declared: Own,
  ): FactTable<Stored, DeclaredBy<Own>, Owner> => {
    const names = Object.keys(declared);
    const makers = Object.values(declared).map(([, make]) => make);
    const types = Object.fromEntries(Object.entries(declared).map(([column, [type]]) => [column, type]));
    const own = types as unknown as DeclaredBy<Own>;
    const columns = { ...ofDevice, ...own, ...finality };
    // Rows that are copies of one are of one shape, however many columns they have: one is made of a trip with each of its frames.
    const blank: Row = Object.fromEntries(Object.keys(columns).map((column) => [column, null]));
    return {
      name,
      key: ["account_id", "device", ...key],
      columns,
      own,
      rowOf: (owner, fact, finalAt) => {
        const row: Record<string, Value> = { ...blank };
        row.account_id = owner.accountId;
        row.device = owner.device;
        for (let index = 0; index < names.length; index++) {
          row[names[index] as string] = makers[index]?.(fact, owner) ?? null;
        }
        row.final_at = finalAt;
        return row;
      },
    };
  };
}

/** Made from the device and the fact's key, so that deriving it again yields the same id. */
export function factIdOf(owner: FactOwner, key: string): string {
  return Bun.randomUUIDv5(key, owner.deviceId);
}

export const tripId = rememberedIds("trip");
export const stopId = rememberedIds("stop");

/** With the last id of each device: a trip or a stop is written with every frame until it is over. */
function rememberedIds(kind: "trip" | "stop"): (owner: FactOwner, foundAt: number) => string {
  const lastIds = new WeakMap<FactOwner, { readonly foundAt: number; readonly id: string }>();
  return (owner, foundAt) => {
    const last = lastIds.get(owner);
    if (last?.foundAt === foundAt) return last.id;
    const id = factIdOf(owner, `${kind} ${foundAt}`);
    lastIds.set(owner, { foundAt, id });
    return id;
  };
}

/** As a whole number of small units: smaller on disk than a fraction, and exact in sums. */
export function scaled<Amount extends number | null>(
  value: Amount,
  factor: number,
): Amount extends null ? null : number;
export function scaled(value: number | null, factor: number): number | null {
  // There is no -0 in a table, and none without one.
  return value === null ? null : Math.round(value * factor) + 0;
}
