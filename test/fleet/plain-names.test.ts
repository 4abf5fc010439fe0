import { expect, test } from "bun:test";
import { activeUser } from "../../src/access/active-user.ts";
import { editFleet } from "../../src/fleet/edit/edit.ts";
import { signInByEmail } from "../../src/store/access/sign-ins.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user } from "../support/fleet.ts";

const { acme, ann, olga, van, depot } = smallFleet;
/** It turns around what follows it. */
const turned = "Van \u202eEDCBA";

onEachEngine("a name that turns the text around it", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("is refused in every record of a fleet file", async () => {
    const { database } = await loaded();
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
    const { database } = await loaded();
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

onEachEngine("an e-mail that is not plain", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("is refused in a fleet file, and an accent is stored in one form", async () => {
    const { database } = await loaded();
    for (const email of [
      "an\u200bn@acme.example",
      "<ann@acme.example>",
      "ann\u202e@acme.example",
      "ann@acme.example.",
      "ann@acme..example",
    ]) {
      const { code, message } = await failureOf(load(database, [{ ...ann, email }]));
      expect([email, code]).toEqual([email, "FLEET_FILE_INVALID"]);
      expect(message).toStartWith('line 1: field "email": expected an e-mail address without invisible characters');
      expect(message).toEndWith("and after the @ only letters, digits, hyphens and single dots between them");
    }
    await load(database, [{ ...ann, email: "jose\u0301@acme.example" }]);
    const row = await database.get(sql`select email, email_key from users where id = ${ann.id}`);
    expect(row).toEqual({ email: "jos\u00e9@acme.example", email_key: "jos\u00e9@acme.example" });
    const other = { ...user(50), email: "JOS\u00c9@acme.example" };
    expect((await failureOf(load(database, [other]))).message).toContain("belongs to another user already");
    expect((await activeUser(database, "jose\u0301@acme.example")).id).toBe(ann.id);
  });

  test("stays where it is stored already, and its user is found by it", async () => {
    const { database } = await loaded();
    const earlier = "An\u200bn@acme.example";
    const key = earlier.toLowerCase();
    await database.transaction((tx) =>
      tx.run(sql`update users set email = ${earlier}, email_key = ${key} where id = ${ann.id}`),
    );
    await load(database, [{ ...ann, email: earlier, name: "Ann A." }]);
    expect(await activeUser(database, earlier)).toMatchObject({ id: ann.id, name: "Ann A.", email: earlier });
    expect((await signInByEmail(database, earlier.toUpperCase()))?.id).toBe(ann.id);
    expect(await signInByEmail(database, "ann@acme.example")).toBeNull();
    // So is one whose accents are in another form, also if another user has the normal form.
    const [apart, joined] = ["jose\u0301@acme.example", "jos\u00e9@acme.example"];
    await database.transaction((tx) =>
      tx.run(sql`update users set email = ${apart}, email_key = ${apart} where id = ${ann.id}`),
    );
    expect((await signInByEmail(database, apart))?.id).toBe(ann.id);
    await load(database, [{ ...user(50), email: joined }]);
    expect((await signInByEmail(database, joined))?.id).toBe(user(50).id);
    expect((await signInByEmail(database, apart))?.id).toBe(ann.id);
    expect((await activeUser(database, apart)).id).toBe(ann.id);
  });
});
