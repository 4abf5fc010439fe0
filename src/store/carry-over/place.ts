import { bigint, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { table, upsert } from "../table.ts";

/** Up to which row of an old table everything is carried over, and how many rows that were, of whichever program. */
export interface Place {
  readonly account_id: number;
  readonly device: number;
  readonly kind: string;
  readonly recorded_at: number;
  readonly digest: number;
  readonly done: number;
}

const begin: Place = { account_id: -1, device: 0, kind: "", recorded_at: 0, digest: 0, done: 0 };

const places = upsert(
  table("carried_over", ["name"], {
    name: text,
    account_id: bigint,
    device: bigint,
    kind: text,
    recorded_at: bigint,
    digest: bigint,
    done: bigint,
  }),
);

export async function placeOf(reader: Reader, name: string): Promise<Place> {
  const place = await reader.get<Place>(sql`
    select account_id, device, kind, recorded_at, digest, done from carried_over where name = ${name}`);
  return place ?? begin;
}

export async function savePlace(tx: Transaction, name: string, place: Place): Promise<void> {
  const { account_id, device, kind, recorded_at, digest, done } = place;
  await tx.insertMany(places, [{ name, account_id, device, kind, recorded_at, digest, done }]);
}

/** When all is carried over. */
export async function forgetPlace(tx: Transaction, name: string): Promise<void> {
  await tx.run(sql`delete from carried_over where name = ${name}`);
}
