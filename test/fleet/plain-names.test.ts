import { expect, test } from "bun:test";
import { editFleet } from "../../src/fleet/edit.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user } from "../support/fleet.ts";

const { acme, ann, olga, van, depot } = smallFleet;
/** It turns around what follows it. */
const turned = "Van \u202eEDCBA";

onEachEngine("a name that turns the text around it", (engine) => {
  test("is refused in every record of a fleet file", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const records: FleetRecord[] = [acme, ann, van, depot, user(50), device(50), circle(50)];
    for (const record of records) {
      for (const name of [turned, "\u2066Isolated", "\u202aEmbedded"]) {
        const { code, message } = await failureOf(load(database, [{ ...record, name }]));
        expect([record.id, code, message]).toEqual([
          record.id,
          "FLEET_FILE_INVALID",
          'line 1: field "name": expected a name without characters that turn text around, such as U+202E',
        ]);
      }
    }
    // A mark between letters of two directions turns nothing.
    await load(database, [{ ...van, name: "\u05d0\u200f 12" }]);
  });

  test("stays where it is stored already, while all else can be changed", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    await database.transaction((tx) => tx.run(sql`update devices set name = ${turned} where id = ${van.id}`));
    await load(database, [{ ...van, name: turned, plate: "AB 1" }]);
    const row = await database.get<{ account_id: number }>(sql`select account_id from accounts where id = ${acme.id}`);
    const edit = (revision: number, fields: Record<string, unknown>) => {
      const account = { number: row?.account_id ?? 0, id: acme.id };
      const by = { kind: "user", id: olga.id } as const;
      const changes = [{ type: "device", id: van.id, revision, fields } as const];
      return editFleet(database, { account, by, changes, isPreview: false }, loadedAt + hourMs);
    };
    const revisions = (await edit(2, { plate: "AB 2" })).revisions;
    const { code } = await failureOf(edit(revisions[0] ?? 0, { name: `${turned}2` }));
    expect(code).toBe("FLEET_FILE_INVALID");
    const kept = await database.get<{ name: string; plate: string }>(
      sql`select name, plate from devices where id = ${van.id}`,
    );
    expect([kept?.name, kept?.plate]).toEqual([turned, "AB 2"]);
  });
});
