import { bigint } from "../../src/store/columns.ts";
import { conversionOf } from "../../src/store/conversion.ts";
import type { Conversion, Database } from "../../src/store/database.ts";
import { limitTo, plainSql, sql } from "../../src/store/sql.ts";

/** Rows of an earlier form that no version has: a conversion makes of each thing one that says the double. */
export type Thing = {
  readonly account_id: number;
  readonly device: number;
  readonly recorded_at: number;
  readonly digest: number;
  readonly value: number;
};

const columns = { account_id: bigint, device: bigint, recorded_at: bigint, digest: bigint, value: bigint };
const key = "account_id, device, recorded_at, digest";
const declared = `(${Object.keys(columns).map((name) => `${name} bigint not null`)}, primary key (${key}))`;

/** Of several devices and accounts, with several rows of one moment. */
export const someThings: readonly Thing[] = Array.from({ length: 240 }, (_, index) => ({
  account_id: index < 150 ? 1 : 2,
  device: Math.floor(index / 50),
  recorded_at: Math.floor(index / 3),
  digest: index % 3,
  value: index,
}));

/** As a migration leaves them: the rows under another name, and an empty table for those that are made of them. */
export async function makeThings(database: Database, things: readonly Thing[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(plainSql(`create table old_things ${declared}`));
    await tx.run(plainSql(`create table things ${declared}`));
    await tx.insertMany({ name: "old_things", columns }, things);
  });
}

export function thingsConversion(rowsPerStep: number): Conversion {
  return conversionOf({
    what: "things",
    rowsPerStep,
    async convertAfter(tx, place, count) {
      const { account_id, device, recorded_at, digest, done } = place;
      const things = await tx.all<Thing>(sql`
        select account_id, device, recorded_at, digest, value from old_things
        where (account_id, device, recorded_at, digest) > (${account_id}, ${device}, ${recorded_at}, ${digest})
        order by account_id, device, recorded_at, digest ${limitTo(count)}`);
      const last = things.at(-1);
      if (last === undefined) return null;
      await tx.insertMany(
        { name: "things", columns },
        things.map((thing) => ({ ...thing, value: thing.value * 2 })),
      );
      const { value: _, ...reached } = last;
      return { ...reached, done: done + things.length };
    },
  });
}

export function convertedThings(database: Database): Promise<Thing[]> {
  return database.all(plainSql(`select account_id, device, recorded_at, digest, value from things order by ${key}`));
}
