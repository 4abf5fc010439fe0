import { describe, expect, test } from "bun:test";
import type { Visibility } from "../../src/domain/visibility.ts";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";
import { devicesNamed, isAccountErasing, isErasingUnfinished, usersNamed } from "../../src/store/erase/find.ts";
import { wasErased } from "../../src/store/erase/notes.ts";
import {
  assignedUsers,
  auditOfAccount,
  auditOfUser,
  historyStamp,
  membersOf,
  storedDevice,
  storedOfAccount,
  storedOfUser,
  storedParts,
} from "../../src/store/erase/stored-rows.ts";
import { storedOfDevice } from "../../src/store/facts/fact-counts.ts";
import { foldedDevices, foldProgress, untimelyDevices } from "../../src/store/facts/folds.ts";
import { listedUsers, someOwners } from "../../src/store/fleet/users.ts";
import { framesAt } from "../../src/store/frames/frames.ts";
import { lastReceivedAtOf } from "../../src/store/frames/latest.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";
import { judge } from "../support/statement-rule.ts";

const viewer: Visibility = { sees: "assigned", accountId: 1, userId: "00000000-0000-4000-8000-000000000001" };
const fence = "00000000-0000-4000-8000-000000000002";

describe("a statement keeps to one account", () => {
  test("at every depth, and by its own condition", () => {
    const own = "r.account_id = $1";
    const accepted = [
      `select 1 from trips r where ${own}`,
      "select 1 from trips where account_id = 1 and device = $2",
      `select 1 from trips r left join devices d on d.account_id = $1 and d.device = r.device where ${own}`,
      `select 1 from trips r join devices d on ${own} and d.account_id = cast($1 as bigint)`,
      "with r as materialized (select * from trips where account_id = $1) select * from r",
      "select 1 from trips where account_id = $1 union all select 1 from alerts where account_id = $1",
      "insert into trips (account_id, device) values ($1, $2), ($1, $3) on conflict do nothing",
      "insert into trips (device, account_id) select $1, f.account_id from fleet_revisions f where f.account_id = $2",
      "delete from unknown_devices u where u.account_id = $1 and exists (select 1 from device_directory d where d.imei = u.imei)",
      "update sessions set last_seen_at = $1 where token_hash = $2",
      "select 1 from sessions s join users u on u.id = s.user_id where s.token_hash = $1",
      "select pg_advisory_xact_lock($1)",
      "set local lock_timeout to default; create table trips (account_id bigint)",
      "analyze trips; vacuum trips; lock table trips in exclusive mode",
      "alter table trips add column more bigint; create index more on trips (more); drop table trips",
      "truncate sessions",
      `explain select 1 from trips r where ${own}`,
      `select 1 from trips r tablesample system (1) where ${own}`,
      `select 1 from (select 1 from trips r where ${own}) few for update`,
      `select 1 from trips r join devices d on d.account_id = $1::integer where ${own}`,
      "select 1 from trips r join devices d on d.account_id = 0 where r.account_id = 0",
    ];
    const refused = [
      "select 1 from trips",
      `select 1 from trips r where ${own} or r.device = $2`,
      "insert into trips (account_id) select account_id from json_to_recordset($1::text::json) as row (account_id bigint)",
      "update trips t set device = r.device from json_to_recordset($1::text::json) as r (account_id bigint, device bigint) where t.account_id = r.account_id",
      `select 1 from trips r left join alert_acknowledgements k on k.account_id = r.account_id where ${own}`,
      "select fleet_revision from accounts where account_id = $1 for share",
      "select 1 from trips r where r.account_id in ($1, $2)",
      "select 1 from trips r where r.account_id > $1",
      `select 1 from trips r left join devices d on ${own} and d.account_id = $1`,
      `select 1 from trips r join devices d using (account_id) where ${own}`,
      `select 1 from trips r where ${own} and exists (select 1 from alerts a where a.account_id = r.account_id)`,
      "with few as (select * from trips) select * from few where account_id = $1",
      "select 1 from trips where account_id = $1 union all select 1 from alerts",
      `select 1 from trips r where ${own} and exists (select 1 from users u where u.account_id = r.account_id)`,
      `select 1 from trips r join sessions s on s.account_id = r.account_id where ${own}`,
      "insert into trips values ($1, $2)",
      "insert into trips (account_id) select f.account_id from fleet_revisions f",
      "insert into trips (account_id) select a.account_id from accounts a where a.account_id = $1",
      "insert into trips (device) values ($1)",
      "insert into trips (account_id) values ((select account_id from accounts limit 1))",
      "update trips set account_id = $2 where account_id = $1",
      "delete from trips where device = $1",
      "update device_directory set imei = (select d.imei from devices d where d.account_id = $1 and d.device = $2)",
      "with alerts as (select 1) select 1 from trips r where r.account_id = $1",
      "with users as (select 1) select 1 from trips r where r.account_id = $1",
      "with trips as (select 1) select 1 from (select 1 from trips) r",
      "merge into trips t using (values ($1)) v (d) on t.account_id = 1 and t.device = v.d when matched then delete",
      "with m as (merge into trips t using alerts a on t.device = a.device when matched then delete) select 1",
      "copy trips from stdin",
      "copy (select 1 from trips r where r.account_id = 1) to stdout",
      `create table few as select 1 from trips r where ${own}`,
      `select 1 into few from trips r where ${own}`,
      "create materialized view few as select 1 from trips r where r.account_id = 1",
      "declare few cursor for select 1 from trips r where r.account_id = 1",
      `prepare few as select 1 from trips r where ${own}`,
      "truncate trips",
      "do 'begin delete from trips; end'",
      "explain select 1 from trips",
      "select 1 from trips tablesample system (1)",
      "select 1 from trips r tablesample system (1) where r.device = $1",
      "select 1 from (select u.id from users u where u.account_id = $1) few for share",
      `select 1 from trips r join (select u.id from users u) few on true where ${own} for update`,
      "select 1 from (select 1 from (select 1 from accounts) deep) few for no key update",
      "select pg_try_advisory_xact_lock(account_id) from accounts",
      "select pg_try_advisory_lock_shared(1) from sessions",
      "select 1 from trips r join devices d on d.account_id = 2 where r.account_id = 1",
      `select 1 from trips r join devices d on d.account_id = 1 where ${own}`,
      "select 1 from trips where account_id = 1 union all select 1 from alerts where account_id = 2",
      "insert into trips (account_id) values (1), (2)",
      "insert into trips (account_id) values ($1), (2)",
      "select 1 from trips r where r.account_id = null",
      "select 1 from trips r where r.account_id = null::bigint",
      "select 1 from trips r where r.account_id = '1'",
      "insert into trips (account_id) values (null)",
      "select 1 from trips r where r.account_id = $1::text",
      "select 1 from trips r where r.account_id = $1::numeric",
      "select 1 from trips r where r.account_id = $1::text::bigint",
      "select 1 from trips r where r.account_id = $1::bigint[]",
      "insert into trips (account_id) values ($1::smallint)",
    ];
    expect(accepted.filter((text) => judge(text).faults.length > 0)).toEqual([]);
    expect(refused.filter((text) => judge(text).faults.length === 0)).toEqual([]);
  });
});

onEachEngine("the guard of statements", (engine) => {
  if (engine.name === "sqlite") return;

  test("fails a statement of the program that names no account, and lets those of tests pass", async () => {
    const { database } = await engine.fresh();
    // As if it were written elsewhere: no template of a test made it.
    const statement: Sql = { text: "select count(*) as count from mileage_days", values: [] };
    const fault = /mileage_days has no "mileage_days.account_id = \$n" of its own/;
    const inSilence = async (work: () => Promise<unknown>) => {
      const say = console.error;
      console.error = () => {};
      try {
        return await work().then(
          () => "",
          (error) => String(error),
        );
      } finally {
        console.error = say;
      }
    };
    expect(await inSilence(() => database.all(statement))).toMatch(fault);
    expect(await inSilence(() => database.transaction((tx) => tx.run(statement)))).toMatch(fault);
    const two: Sql = { text: "insert into mileage_days (account_id) values ($1), ($2)", values: [1, 2] };
    expect(await inSilence(() => database.change(two))).toMatch(/more than one account/);
    expect(await database.get(plainSql("select count(*) as count from mileage_days  "))).toEqual({ count: 0 });
  });

  test("holds what the program asks in processes of its own, too", async () => {
    const { database } = await engine.fresh();
    await database.transaction(async (tx) => {
      await tx.run(sql`
        insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
        values (1, ${fence}, 'One', 'active', 1, 1, 1, 1)`);
      await beginFleets(tx, [1]);
    });
    const key = { accountId: 1, device: 1 };
    const id = viewer.userId;
    // Nothing is found. That each is sent, and passes, is what counts.
    expect(await isErasingUnfinished(database)).toBe(false);
    expect(await isAccountErasing(database, 1)).toBe(false);
    expect(await wasErased(database, "device", id)).toBe(false);
    expect(await devicesNamed(database, { id })).toEqual([]);
    expect(await devicesNamed(database, { imei: "356307042441013" })).toEqual([]);
    expect(await usersNamed(database, { id })).toEqual([]);
    expect(await usersNamed(database, { email: "a@example.com" })).toEqual([]);
    expect(await historyStamp(database, 1, null)).toBe("0 0");
    expect(await historyStamp(database, 1, 1)).toBe("0 0");
    expect(await membersOf(database, 1)).toEqual({ devices: [], users: [] });
    expect(await storedDevice(database, key)).toBeNull();
    expect(await assignedUsers(database, key)).toEqual([]);
    expect(await storedOfDevice(database, key)).toMatchObject({ frames: 0, readings: 0, trips: 0, alerts: 0 });
    expect(await Array.fromAsync(storedParts(database, key))).toEqual([]);
    expect(await storedOfUser(database, 1, id)).toEqual([]);
    expect(await storedOfAccount(database, 1)).toEqual([]);
    expect(await Array.fromAsync(auditOfAccount(database, 1))).toEqual([]);
    expect(await Array.fromAsync(auditOfUser(database, 1, id))).toEqual([]);
    expect(await untimelyDevices(database, 1)).toEqual([]);
    expect(await foldedDevices(database, 1)).toEqual([]);
    expect(await foldProgress(database, key)).toMatchObject({});
    expect(await framesAt(database, key, [1])).toEqual([]);
    expect(await lastReceivedAtOf(database, 1)).toBeNull();
    expect(await someOwners(database, 2)).toEqual([]);
    expect(await listedUsers(database)).toEqual([]);
  });

  test("every table is of one kind, and its keys are such that Citus can hold them", async () => {
    const { database } = await engine.fresh();
    const rows = await database.all<{ name: string }>(
      plainSql(`
      select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`),
    );
    const kinds = [...distributedTables, ...referenceTables, ...localTables];
    expect(rows.map(({ name }) => name).sort()).toEqual([...kinds].sort());

    const kindOf = (name: string) =>
      (distributedTables as readonly string[]).includes(name)
        ? "distributed"
        : (referenceTables as readonly string[]).includes(name)
          ? "reference"
          : "local";
    const foreignKeys = await database.all<{ from: string; to: string; columns: string; others: string }>(
      plainSql(`
      select conrelid::regclass::text as from, confrelid::regclass::text as to,
        (select string_agg(attname, ' ' order by n) from unnest(conkey) with ordinality k (attnum, n)
          join pg_attribute a on a.attrelid = conrelid and a.attnum = k.attnum) as columns,
        (select string_agg(attname, ' ' order by n) from unnest(confkey) with ordinality k (attnum, n)
          join pg_attribute a on a.attrelid = confrelid and a.attnum = k.attnum) as others
      from pg_constraint where contype = 'f' and conrelid in (
        select oid from pg_class where relnamespace = current_schema()::regnamespace)`),
    );
    expect(foreignKeys.length).toBeGreaterThan(0);
    const impossible = foreignKeys.filter(({ from, to, columns, others }) => {
      if (kindOf(to) === "reference") return false;
      const isSpread = kindOf(from) === "distributed" && kindOf(to) === "distributed";
      const isWithinAccount = columns.split(" ").indexOf("account_id") === others.split(" ").indexOf("account_id");
      return !isSpread || !columns.includes("account_id") || !isWithinAccount;
    });
    expect(impossible).toEqual([]);

    const unique = await database.all<{ name: string; columns: string }>(
      plainSql(`
      select i.indrelid::regclass::text as name, string_agg(a.attname, ' ') as columns
      from pg_index i join pg_attribute a on a.attrelid = i.indexrelid
      where i.indisunique and i.indrelid in (
        select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p'))
      group by i.indexrelid, i.indrelid`),
    );
    const acrossAccounts = unique.filter(
      ({ name, columns }) => kindOf(name) === "distributed" && !columns.split(" ").includes("account_id"),
    );
    expect(acrossAccounts).toEqual([]);

    // Each write of such a column would be a write on every machine.
    const written = await database.all<{ name: string }>(
      plainSql(`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name in ('last_used_at', 'last_seen_at')`),
    );
    expect(written.filter(({ name }) => kindOf(name) === "reference")).toEqual([]);
  });
});
