import { expect, test } from "bun:test";
import { plainSql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { onEachEngine } from "../support/engines.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, imeis, loadIngestFleet, newYear } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter } from "../support/ingest-node.ts";

const frames = straightDrive({ imei: imeis[0] as string, from: home, beginAt: newYear, minutes: 2, kmh: 50 });

onEachEngine("single frames that come together", (engine) => {
  test("are stored by one transaction", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    const stored: number[] = [];
    const writer = newWriter(database, (seen) => {
      if (seen.kind === "frames_stored") stored.push(seen.accepted);
    });
    const outcomes = await Promise.all(frames.map((frame) => writer.submit(account, [frame])));
    expect(outcomes).toEqual(frames.map(() => ["accepted"]));
    expect(stored).toEqual([frames.length]);
  });

  test("all fail if no transaction can begin, and the next ones are stored", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    let isDown = true;
    const writer = newWriter(
      altered(database, {
        transaction: (work) => (isDown ? Promise.reject(new Error("no connection")) : database.transaction(work)),
      }),
    );
    const failed = await Promise.allSettled(frames.map((frame) => writer.submit(account, [frame])));
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    isDown = false;
    expect(await writer.submit(account, frames)).toEqual(frames.map(() => "accepted"));
  });

  test("are stored once, and answered, when their transaction met another one and is run again", async () => {
    // SQLite has one writer: none meets another.
    if (engine.name === "sqlite") return;
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    for (const statement of conflictOnce) await database.all(plainSql(statement));
    const stored: number[] = [];
    const writer = newWriter(database, (seen) => {
      if (seen.kind === "frames_stored") stored.push(seen.accepted);
    });
    const outcomes = await Promise.all(frames.map((frame) => writer.submit(account, [frame])));
    expect(outcomes).toEqual(frames.map(() => ["accepted"]));
    expect(stored).toEqual([frames.length]);
  });
});

/** The first statement that stores frames fails as one does that would not fit between those of others. A sequence is not rolled back. */
const conflictOnce = [
  "create sequence conflicts",
  `create function conflict_once() returns trigger language plpgsql as $$
    begin
      if nextval('conflicts') = 1 then raise exception 'met another' using errcode = '40001'; end if;
      return null;
    end $$`,
  "create trigger conflicts before insert on recent_frames for each statement execute function conflict_once()",
];
