import type { Engine } from "./database.ts";
import version2OnPostgres from "./postgres/migrations/0042_version_2.sql" with { type: "text" };
import fleetOnPostgres from "./postgres/schema/1_fleet.sql" with { type: "text" };
import trackersOnPostgres from "./postgres/schema/2_trackers.sql" with { type: "text" };
import accessOnPostgres from "./postgres/schema/3_access.sql" with { type: "text" };
import framesOnPostgres from "./postgres/schema/4_frames.sql" with { type: "text" };
import factsOnPostgres from "./postgres/schema/5_facts.sql" with { type: "text" };
import changesOnPostgres from "./postgres/schema/6_changes.sql" with { type: "text" };
import mailsOnPostgres from "./postgres/schema/7_mails.sql" with { type: "text" };
import storeOnPostgres from "./postgres/schema/8_store.sql" with { type: "text" };
import version2OnSqlite from "./sqlite/migrations/0042_version_2.sql" with { type: "text" };
import fleetOnSqlite from "./sqlite/schema/1_fleet.sql" with { type: "text" };
import trackersOnSqlite from "./sqlite/schema/2_trackers.sql" with { type: "text" };
import accessOnSqlite from "./sqlite/schema/3_access.sql" with { type: "text" };
import framesOnSqlite from "./sqlite/schema/4_frames.sql" with { type: "text" };
import factsOnSqlite from "./sqlite/schema/5_facts.sql" with { type: "text" };
import changesOnSqlite from "./sqlite/schema/6_changes.sql" with { type: "text" };
import mailsOnSqlite from "./sqlite/schema/7_mails.sql" with { type: "text" };
import storeOnSqlite from "./sqlite/schema/8_store.sql" with { type: "text" };

/** The release that brings older stores up to date; with it this program's schema begins. */
export const predecessor = {
  release: "1.4.0",
  /** The number of its last migration. */
  schema: 41,
  /** Its rules, which all devices follow once it has finished. */
  rules: 5,
  /** Tables of versions before it, as long as it has not rewritten all of their rows. */
  rewrites: ["old_frames", "old_readings", "old_checkpoints"],
} as const;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** In order. The first makes the tables of the predecessor, room by room. One that was released is never changed. */
const migrations = [
  {
    name: "schema",
    sqlite: [
      fleetOnSqlite,
      trackersOnSqlite,
      accessOnSqlite,
      framesOnSqlite,
      factsOnSqlite,
      changesOnSqlite,
      mailsOnSqlite,
      storeOnSqlite,
    ].join("\n"),
    postgres: [
      fleetOnPostgres,
      trackersOnPostgres,
      accessOnPostgres,
      framesOnPostgres,
      factsOnPostgres,
      changesOnPostgres,
      mailsOnPostgres,
      storeOnPostgres,
    ].join("\n"),
  },
  { name: "version_2", sqlite: version2OnSqlite, postgres: version2OnPostgres },
] as const;

/** By engine. */
export const knownMigrations: Readonly<Record<Engine, readonly Migration[]>> = {
  sqlite: migrations.map(({ name, sqlite: text }, index) => ({ version: predecessor.schema + index, name, text })),
  postgres: migrations.map(({ name, postgres: text }, index) => ({ version: predecessor.schema + index, name, text })),
};

export const lastVersion = predecessor.schema + migrations.length - 1;
