// Keeps a copy of a fleet in a SQLite file. Stop it and start it as you like: it goes on where it stopped.
//
//   export FLEET_URL=https://fleet.example/v1 FLEET_KEY=odo_… FLEET_FILE=fleet.sqlite
//   bun sync-sqlite.ts
//
// Each record is a row with its content as JSON. Make views of what you need, for instance:
//   create view trips as select id, device_id, record->>'started_at' as started_at,
//     record->>'distance_km' as distance_km from fleet where type = 'trip';
import { Database } from "bun:sqlite";
import { type BackfillType, type Change, type Known, OdographClient } from "odograph-client";

/** What to copy. After a change here, `drop table fleet_resume`, so that everything is read anew. */
const types: BackfillType[] = ["device", "geofence", "trip", "geofence_event", "alert", "mileage"];
const from = new Date(Date.now() - Number(process.env.BACKFILL_DAYS ?? 90) * 86_400_000);

const odograph = new OdographClient({ url: process.env.FLEET_URL ?? "", key: process.env.FLEET_KEY ?? "" });
const database = new Database(process.env.FLEET_FILE ?? "fleet.sqlite");
database.run("pragma busy_timeout = 10000; pragma journal_mode = wal");
database.run(`create table if not exists fleet (type text, id text, device_id text, record text not null,
  primary key (type, id))`);
database.run("create index if not exists fleet_device on fleet (device_id)");
database.run("create table if not exists fleet_resume (one integer primary key check (one = 1), after text not null)");
const put = database.query("insert or replace into fleet values (?, ?, ?, ?)");
const remove = database.query("delete from fleet where type = ? and id = ?");
const removeDevice = database.query("delete from fleet where device_id = ?");
const find = database.query("select 1 from fleet where type = ? and id = ?");
const save = database.query("insert or replace into fleet_resume values (1, ?)");

const apply = ({ type, id, device_id, record }: Change<BackfillType> | Known<BackfillType>) => {
  if (record) put.run(type, id, device_id, JSON.stringify(record));
  else remove.run(type, id);
  // What a device did goes out of sight with it.
  if (type === "device" && !record) removeDevice.run(id);
};

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
const onWait = (error: unknown, waitS: number) => console.error(`${error}; waiting for ${Math.ceil(waitS)} s`);
const stored = database.query<{ after: string }, []>("select after from fleet_resume").get();

const wait = { intervalS: Number(process.env.INTERVAL_S ?? 10), onWait, signal: stop.signal };
for await (const batch of odograph.follow({ types, after: stored?.after }, { ...wait, onExpired: "restart" })) {
  // One transaction for the records and the token: either both are stored, or the batch comes again.
  database.run("begin immediate");
  if (batch.isStart) {
    database.run("delete from fleet");
    for await (const known of odograph.backfill({ types, from })) apply(known);
  }
  for (const change of batch.changes) {
    const isNew = change.type === "device" && change.change === "put" && !find.get("device", change.id);
    apply(change);
    // It has come into sight, and its past comes with no change.
    if (isNew) for await (const known of odograph.backfill({ types, from, device_id: change.id })) apply(known);
  }
  save.run(batch.resumeAfter);
  database.run("commit");
  console.log(batch.isStart ? "read everything anew" : `${batch.changes.length} changes`);
}
database.close();
