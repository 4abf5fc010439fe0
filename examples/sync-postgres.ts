// Keeps a copy of a fleet in PostgreSQL. Stop it and start it as you like: it goes on where it stopped.
//
//   export FLEET_URL=https://fleet.example/v1 FLEET_KEY=odo_… DATABASE_URL=postgres://user:password@host/database
//   bun sync-postgres.ts
//
// Each record is a row with its content as JSON. Make views of what you need, for instance:
//   create view trips as select id, device_id, (record->>'started_at')::timestamptz as started_at,
//     (record->>'distance_km')::float8 as distance_km from fleet where type = 'trip';
import { SQL } from "bun";
import { type BackfillType, type Change, type Known, OdographClient } from "odograph-client";

/** What to copy. After a change here, `drop table fleet_resume`, so that everything is read anew. */
const types: BackfillType[] = ["device", "geofence", "trip", "geofence_event", "alert", "mileage"];
const from = new Date(Date.now() - Number(process.env.BACKFILL_DAYS ?? 90) * 86_400_000);

const odograph = new OdographClient({ url: process.env.FLEET_URL ?? "", key: process.env.FLEET_KEY ?? "" });
const database = new SQL(process.env.DATABASE_URL ?? "");
await database`create table if not exists fleet (type text, id text, device_id text, record jsonb not null,
  primary key (type, id))`;
await database`create index if not exists fleet_device on fleet (device_id)`;
await database`create table if not exists fleet_resume (one boolean primary key check (one), after text not null)`;

const apply = async (sql: SQL, { type, id, device_id, record }: Change<BackfillType> | Known<BackfillType>) => {
  if (record)
    await sql`insert into fleet values (${type}, ${id}, ${device_id}, ${record}::jsonb)
      on conflict (type, id) do update set device_id = excluded.device_id, record = excluded.record`;
  else await sql`delete from fleet where type = ${type} and id = ${id}`;
  // What a device did goes out of sight with it.
  if (type === "device" && !record) await sql`delete from fleet where device_id = ${id}`;
};

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
const onWait = (error: unknown, waitS: number) => console.error(`${error}; waiting for ${Math.ceil(waitS)} s`);
const [stored] = await database`select after from fleet_resume`;

const wait = { intervalS: Number(process.env.INTERVAL_S ?? 10), onWait, signal: stop.signal };
for await (const batch of odograph.follow({ types, after: stored?.after }, { ...wait, onExpired: "restart" })) {
  // One transaction for the records and the token: either both are stored, or the batch comes again.
  await database.begin(async (sql) => {
    if (batch.isStart) {
      await sql`delete from fleet`;
      for await (const known of odograph.backfill({ types, from })) await apply(sql, known);
    }
    for (const change of batch.changes) {
      const isDevice = change.type === "device" && change.change === "put";
      const isNew = isDevice && !(await sql`select 1 from fleet where type = 'device' and id = ${change.id}`).length;
      await apply(sql, change);
      // It has come into sight, and its past comes with no change.
      if (isNew)
        for await (const known of odograph.backfill({ types, from, device_id: change.id })) await apply(sql, known);
    }
    await sql`insert into fleet_resume values (true, ${batch.resumeAfter})
      on conflict (one) do update set after = excluded.after`;
  });
  console.log(batch.isStart ? "read everything anew" : `${batch.changes.length} changes`);
}
await database.close();
