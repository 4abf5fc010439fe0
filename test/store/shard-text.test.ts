import { expect, test } from "bun:test";
import { onEachShard, onShards } from "../../src/store/postgres/shard-text.ts";
import { shardFaults } from "../support/shard-text-rule.ts";

const names = new Map([
  ["trips", "trips_7"],
  ["changes", "changes_8"],
  ["users", "users_9"],
]);

test.each([
  ["select * from trips where trips.account_id = $1", "select * from trips_7 trips where trips.account_id = $1"],
  ["select t.id from trips t where t.account_id = $1", "select t.id from trips_7 t where t.account_id = $1"],
  ["select t.id from trips as t where t.account_id = $1", "select t.id from trips_7 as t where t.account_id = $1"],
  // A column of the same name as a table stays what it is.
  [
    "with found as (select changes from changes where account_id = $1) select changes from found join users u on true",
    "with found as (select changes from changes_8 changes where account_id = $1) select changes from found join users_9 u on true",
  ],
  ["select (select 1 from trips limit 1)", "select (select 1 from trips_7 trips limit 1)"],
])("a read is asked of the account's shards: %s", (text, expected) => {
  expect(onShards(text, names)).toBe(expected);
  expect(shardFaults(text)).toEqual([]);
});

test.each([
  "insert into trips (account_id) values ($1)",
  "with gone as (delete from trips where account_id = $1 returning id) select id from gone",
  "select id from trips where account_id = $1 for update",
  "select id from users where account_id = $1",
  "select 1 from sessions where account_id = $1",
  "select 1 from trips t join sessions s on true where t.account_id = $1",
  // Not in the names: spread since they were read.
  "select 1 from devices where account_id = $1",
])("the coordinator runs whatever else there is: %s", (text) => {
  expect(onShards(text, names)).toBeNull();
});

test("a read of several shards has its parameters for each of them", () => {
  const text = "select t.id from trips t where t.account_id = any ($1) and t.id <> $2";
  const other = new Map([["trips", "trips_17"]]);
  expect(onEachShard(text, 2, [names, other])).toBe(
    "select t.id from trips_7 t where t.account_id = any ($1) and t.id <> $2 union all " +
      "select t.id from trips_17 t where t.account_id = any ($3) and t.id <> $4",
  );
  expect(onEachShard(text, 2, [names, new Map()])).toBeNull();
});

test("a text that would change its meaning is found by the rule", () => {
  expect(shardFaults("select 1 from trips t where t.account_id = $1 and t.a is distinct from changes")).toHaveLength(1);
});
