import { describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { type AuditEntry, auditActions, auditKinds } from "../../src/domain/audit.ts";
import type { AuditRecord as Listed } from "../../src/portal/both-sides/contract/audit.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import { audit as german } from "../../src/portal/both-sides/texts/de/administration/audit.ts";
import { audit as english } from "../../src/portal/both-sides/texts/en/administration/audit.ts";
import * as administration from "../../src/portal/both-sides/texts/en/administration/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { audit as spanish } from "../../src/portal/both-sides/texts/es/administration/audit.ts";
import { audit as portuguese } from "../../src/portal/both-sides/texts/pt/administration/audit.ts";
import { auditFilterOf, auditQuery } from "../../src/portal/page/audit/audit-filter.ts";
import { actionWords, actorWords, detailWords, recordWords } from "../../src/portal/page/audit/audit-words.ts";
import { loggedRules } from "../../src/portal/page/audit/logged-rules.ts";
import type { Database } from "../../src/store/database.ts";
import { addAuditEntries } from "../../src/store/fleet/audit.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { fleetText, load, smallFleet } from "../support/fleet.ts";
import { sharedPortal } from "../support/portal.ts";
import { runOdograph } from "../support/program.ts";

const nobodys = "00000000-0000-4000-8000-000000000000";
const minuteMs = 60_000;
const began = Date.UTC(2026, 4, 1, 12);

function add(database: Database, accountId: number, entries: readonly AuditEntry[], at: number): Promise<void> {
  return database.transaction((tx) => addAuditEntries(tx, accountId, entries, at));
}

onEachEngine("the audit log", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("says who did what and when, newest first, with the names of today; one who is gone has an id", async () => {
    const { store, accounts, users, devices, fences, signIn } = given();
    const { account_id } = accounts.acme;
    const olga = { kind: "user", id: users.olga.id } as const;
    const { token } = await createIngestToken(
      store.database,
      { accountId: accounts.acme.id, name: "Gateway" },
      began + 6 * minuteMs,
    );
    const logEntries: AuditEntry[] = [
      { by: olga, action: "device.changed", id: devices.van.id, details: { fields: ["plate", "tags"] } },
      { by: { kind: "user", id: nobodys }, action: "device.erased", id: nobodys },
      { by: { kind: "command" }, action: "user.changed", id: users.anna.id, details: { fields: ["password"] } },
      { by: { kind: "file" }, action: "fleet.loaded", id: accounts.acme.id, details: { device_added: 3 } },
      { by: olga, action: "geofence.added", id: fences.yard.id },
      { by: olga, action: "alert_settings.changed", id: "tag:cold", details: { fields: ["rules"] } },
    ];
    for (const [minute, entry] of logEntries.entries())
      await add(store.database, account_id, [entry], began + minute * minuteMs);
    await add(
      store.database,
      accounts.polar.account_id,
      [{ by: olga, action: "user.added", id: users.nils.id }],
      began,
    );

    const browser = await signIn("olga@acme.example");
    const { data, next_before } = (await browser.get("/fleet/log?to=2026-05-01T13:00:00Z")).body;
    const name = "Olga Orlova";
    const shown = data.map(({ actor, action, name, details }: Listed) => [
      actor.name ?? actor.id,
      action,
      name,
      details,
    ]);
    expect(shown).toEqual([
      [null, "token.created", "Gateway", {}],
      [name, "alert_settings.changed", null, { fields: ["rules"] }],
      [name, "geofence.added", "Yard of all", {}],
      [null, "fleet.loaded", null, { device_added: 3 }],
      [null, "user.changed", "Anna Ahlberg", { fields: ["password"] }],
      [nobodys, "device.erased", null, {}],
      [name, "device.changed", "Amber van", { fields: ["plate", "tags"] }],
    ]);
    expect(next_before).toBeNull();
    expect(data[0]).toMatchObject({
      at: "2026-05-01T12:06:00.000Z",
      actor: { kind: "command", id: null },
      id: token.id,
    });
    // Another name tomorrow is another name in the log.
    await store.database.transaction((tx) =>
      tx.run(sql`update devices set name = 'Renamed' where id = ${devices.van.id}`),
    );
    const renamed: Listed[] = (await browser.get("/fleet/log?to=2026-05-01T13:00:00Z")).body.data;
    expect(renamed[6]?.name).toBe("Renamed");
    await store.database.transaction((tx) =>
      tx.run(sql`update devices set name = 'Amber van' where id = ${devices.van.id}`),
    );
  });

  test("names what was removed and is kept, and says so; what is being erased has an id alone", async () => {
    const { store, accounts, users, devices, fences, signIn } = given();
    const { database } = store;
    const at = Date.UTC(2026, 1, 1);
    const by = { kind: "user", id: users.anna.id } as const;
    const entries: AuditEntry[] = [
      { by, action: "geofence.removed", id: fences.yard.id },
      { by, action: "device.removed", id: devices.van.id },
      { by, action: "alert_settings.changed", id: devices.truck.id },
    ];
    for (const [number, entry] of entries.entries())
      await add(database, accounts.acme.account_id, [entry], at + number);
    const browser = await signIn("olga@acme.example");
    const shown = async () =>
      (await browser.get("/fleet/log?to=2026-02-02")).body.data.map(({ actor, name, is_removed }: Listed) => [
        actor.name,
        actor.is_removed,
        name,
        is_removed,
      ]);
    const set = (removedAt: number | null, erasingAt: number | null) =>
      database.transaction(async (tx) => {
        await tx.run(sql`update users set removed_at = ${removedAt} where id = ${users.anna.id}`);
        await tx.run(sql`update geofences set removed_at = ${removedAt} where id = ${fences.yard.id}`);
        await tx.run(sql`
          update devices set removed_at = ${removedAt}, erasing_at = ${erasingAt} where id = ${devices.van.id}`);
      });
    const truck = ["Anna Ahlberg", false, "Birch truck", false];
    expect(await shown()).toEqual([
      truck,
      ["Anna Ahlberg", false, "Amber van", false],
      ["Anna Ahlberg", false, "Yard of all", false],
    ]);
    await set(at, null);
    expect(await shown()).toEqual([
      ["Anna Ahlberg", true, "Birch truck", false],
      ["Anna Ahlberg", true, "Amber van", true],
      ["Anna Ahlberg", true, "Yard of all", true],
    ]);
    expect((await browser.get("/fleet/log/people")).body.data).toContainEqual({
      user_id: users.anna.id,
      name: "Anna Ahlberg",
      is_removed: true,
    });
    await set(at, at);
    expect((await shown())[1]).toEqual(["Anna Ahlberg", true, null, false]);
    await set(null, null);
  });

  test("is filtered by person, kind and time, and read page by page", async () => {
    const { store, accounts, users, devices, signIn } = given();
    const { account_id } = accounts.polar;
    const start = Date.UTC(2026, 3, 1);
    const [otto, nils] = [users.otto, users.nils].map(({ id }) => ({ kind: "user", id }) as const);
    if (!otto || !nils) throw new Error("they are there");
    for (let number = 0; number < 25; number++) {
      const by = number % 5 === 0 ? nils : otto;
      const action = number % 2 === 0 ? "device.changed" : "session.started";
      // Several in one millisecond are still in an order, and none is lost between two pages.
      await add(store.database, account_id, [{ by, action, id: devices.ferry.id }], start + Math.floor(number / 3));
    }
    const browser = await signIn("otto@polar.example");
    const read = async (query: string) => (await browser.get(`/fleet/log?to=2026-04-02&${query}`)).body;
    const ids = async (query: string) => (await read(query)).data.map(({ entry_id }: Listed) => entry_id);
    const all: string[] = await ids("");
    expect(all.length).toBe(25);
    expect(all).toEqual(all.toSorted().toReversed());
    const paged: string[] = [];
    let before = "";
    for (let page = 0; page < 9; page++) {
      const { data, next_before } = await read(`limit=4${before}`);
      paged.push(...data.map(({ entry_id }: Listed) => entry_id));
      expect(next_before).toBe(page < 6 ? (paged.at(-1) ?? "") : null);
      if (next_before === null) break;
      before = `&before=${next_before}`;
    }
    expect(paged).toEqual(all);
    expect((await ids(`by=${nils.id}`)).length).toBe(5);
    expect((await ids("by=command")).length).toBe(0);
    expect((await ids("kind=vehicles")).length).toBe(13);
    expect((await ids(`kind=sign_ins&by=${nils.id.toUpperCase()}`)).length).toBe(2);
    const until = new Date(start + 2).toISOString();
    expect((await browser.get(`/fleet/log?to=${until}`)).body.data.length).toBe(6);
    expect((await ids(`from=${new Date(start + 8).toISOString()}`)).length).toBe(1);
    const people = (await browser.get("/fleet/log/people")).body.data;
    expect(people).toEqual([
      { user_id: nils.id, name: "Nils Nyman", is_removed: false },
      { user_id: otto.id, name: "Otto Oldfield", is_removed: false },
    ]);
    const wrong = ["by=nobody", "kind=x", "from=soon", "to=x", "before=1", "limit=0", "limit=501", "limit=x"];
    for (const query of wrong) {
      const { status, body } = await browser.get(`/fleet/log?${query}`);
      expect([query, status, Object.keys(body.error.fields)]).toEqual([query, 400, [query.split("=")[0] ?? ""]]);
    }
  });

  test("is downloaded as a table that no spreadsheet runs, whole, with the same filters", async () => {
    const { store, accounts, users, devices, signIn } = given();
    const { account_id } = accounts.acme;
    const by = { kind: "user", id: users.olga.id } as const;
    const start = Date.UTC(2026, 0, 1);
    const entry: AuditEntry = { by, action: "device.changed", id: devices.truck.id, details: { fields: ["name"] } };
    // More than are read at once.
    for (let number = 0; number < 3; number++) {
      await add(
        store.database,
        account_id,
        Array.from({ length: 400 }, () => entry),
        start + number,
      );
    }
    await store.database.transaction((tx) =>
      tx.run(sql`update devices set name = '=1+1' where id = ${devices.truck.id}`),
    );
    const browser = await signIn("olga@acme.example");
    const { status, headers, text } = await browser.get("/fleet/log/download?to=2026-01-02&kind=vehicles");
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="log_\d{4}-\d\d-\d\d\.csv"$/);
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows.length).toBe(1200);
    expect(new Set(rows.map(({ entry_id }) => entry_id)).size).toBe(1200);
    expect(rows[0]).toMatchObject({
      at: "2026-01-01T00:00:00.002Z",
      actor: "user",
      actor_name: "Olga Orlova",
      action: "device.changed",
      name: "'=1+1",
      details: "fields: name",
    });
    const none = await browser.get("/fleet/log/download?to=2001-01-01");
    expect([none.status, none.text.trim().split("\n").length]).toEqual([200, 1]);
    expect((await browser.get("/fleet/log/download?kind=x")).status).toBe(400);
    await store.database.transaction((tx) =>
      tx.run(sql`update devices set name = 'Birch truck' where id = ${devices.truck.id}`),
    );
  });
});

onEachEngine("a load and commands", (engine) => {
  test("are in the log of each account that they concern, with counts and never with names", async () => {
    const { database, env } = await engine.fresh();
    const loggedOf = async (accountId: string) =>
      (
        await database.all<{ actor: string; action: string; id: string; details_json: string | null }>(sql`
          select l.actor, l.action, l.id, l.details_json from audit_log l
          join accounts a on a.account_id = l.account_id where a.id = ${accountId} order by l.entry_id`)
      ).map(({ actor, action, id, details_json }) => [actor, action, id, details_json && JSON.parse(details_json)]);
    await load(database, Object.values(smallFleet));
    const [acme, rival] = [smallFleet.acme.id, smallFleet.rival.id];
    const counts = { account_added: 1, user_added: 3, device_added: 3, geofence_added: 1, alert_settings_added: 1 };
    expect(await loggedOf(acme)).toEqual([["file", "fleet.loaded", acme, counts]]);
    const ofRival = { account_added: 1, user_added: 1, device_added: 1, geofence_added: 1 };
    expect(await loggedOf(rival)).toEqual([["file", "fleet.loaded", rival, ofRival]]);
    // What changes nothing is not in the log.
    await load(database, Object.values(smallFleet));
    expect((await loggedOf(acme)).length).toBe(1);

    const changed = fleetText([{ ...smallFleet.van, name: "Van of Ann" }]);
    expect((await runOdograph(["load", "-"], { env, input: changed })).code).toBe(0);
    const made = await runOdograph(["ingest-tokens", "create", "--account", acme, "--name", "Gate", "--json"], { env });
    const { id } = JSON.parse(made.stdout);
    for (let time = 0; time < 2; time++)
      expect((await runOdograph(["ingest-tokens", "revoke", id], { env })).code).toBe(0);
    expect((await loggedOf(acme)).slice(1)).toEqual([
      ["file", "fleet.loaded", acme, { device_changed: 1 }],
      ["command", "token.created", id, null],
      ["command", "token.revoked", id, null],
    ]);
    expect((await loggedOf(rival)).length).toBe(1);
    expect(JSON.stringify(await database.all(sql`select * from audit_log`))).not.toMatch(/Van|Gate|@/);
  });
});

describe("the page of the log", () => {
  test("finds every type of record by one kind", () => {
    const types = new Set(auditActions.map((action) => action.slice(0, action.indexOf("."))));
    expect(Object.values(auditKinds).flat().toSorted()).toEqual([...types].toSorted() as never);
  });

  test("has words for every kind of entry, in every language", () => {
    const entry = {
      entry_id: nobodys,
      at: "2026-05-01T12:00:00.000Z",
      type: "device",
      id: nobodys,
      name: null,
      is_removed: false,
    };
    const nobody = { id: null, name: null, is_removed: false } as const;
    for (const words of [english, spanish, portuguese, german]) {
      for (const action of auditActions) {
        const shown = { ...entry, action, actor: { ...nobody, kind: "command" }, details: {} } as const;
        expect(actionWords(shown, words)).not.toContain(".");
        expect(actorWords(shown, words)).toBe(words.atServer);
      }
    }
    const by = { ...nobody, kind: "user", id: nobodys } as const;
    const rules = { ...entry, id: nobodys, actor: by, action: "x.y", type: "alert_settings", details: {} };
    expect([actionWords(rules, english), actorWords(rules, english)]).toEqual(["x.y", "00000000…"]);
    expect(recordWords({ ...rules, id: "all" }, english)).toBe("all vehicles");
    expect(recordWords({ ...rules, id: "tag:cold" }, english)).toBe("tag cold");
    // A person signs in for themselves; who ends the session of another, for that one.
    const session = { ...rules, type: "session", name: "Anna" };
    expect(recordWords(session, english)).toBeNull();
    expect(recordWords({ ...session, actor: { ...by, id: "x" } }, english)).toBe("Anna");
    // What was removed and is kept has a name, which nothing else shows.
    const removed = { ...rules, type: "device", id: "x", name: "Van 1", is_removed: true };
    expect(recordWords(removed, english)).toBe("Van 1 (removed)");
    expect(actorWords({ ...rules, actor: { ...by, name: "Anna", is_removed: true } }, english)).toBe("Anna (removed)");
    const details = { fields: ["plate", "odd_one"], device_added: 3, via: "openid", session: nobodys, odd_count: 2 };
    expect(detailWords({ ...rules, details }, english, String)).toEqual([
      "Changed: plate, odd_one",
      "vehicles added: 3",
      "with OpenID",
      "odd count: 2",
    ]);
    const values = {
      fields: ["plate", "status", "tags"],
      from: ["", "active", "cold, north"],
      to: ["", "blocked", ""],
    };
    expect(detailWords({ ...rules, details: values }, english, String)).toEqual([
      "Changed: plate, status active → blocked, tags cold, north → –",
    ]);
  });

  test("names rules in the person's words and units, also one that was cut off", () => {
    const show = new Show("en", en, { ...usualUnits, distance: "mi" }, "UTC");
    const words = { ...administration, ...en, show };
    const times = '{"within":[{"days":["mon"],"from":"20:00","until":"06:00"}],"dates_off":[]}';
    expect(loggedRules("speeding (on limit_kmh 125), idling (off)", words)).toBe(
      "Speeding (On, speed limit 78 mph), Idling (Off)",
    );
    expect(loggedRules(`geofence_exit (on warning times ${times} fences 2)`, words)).toBe(
      "Geofence left (On, Warning, when it applies, only in 2 fences)",
    );
    expect(loggedRules('temperature_high (on above_c 8 sensor "cargo"), idl', words)).toBe(
      'Temperature too high (On, above 8.0 °C, sensor "cargo"), idl',
    );
    expect(loggedRules("of_tomorrow (on limit 3)", words)).toBe("of_tomorrow (on limit 3)");
  });

  test("asks for days of the account's time zone, and leaves out what makes no sense", () => {
    const at = (query: string) => {
      const address = new URLSearchParams(query);
      return auditFilterOf((name) => address.get(name));
    };
    const asked = (query: string) => auditQuery(at(query), "America/New_York");
    expect(asked("from=2026-05-01&to=2026-05-02&kind=keys&by=file")).toEqual({
      by: "file",
      kind: "keys",
      from: "2026-05-01T04:00:00.000Z",
      to: "2026-05-03T04:00:00.000Z",
    });
    expect(asked("from=2026-02-30&to=x&kind=y&by=%3Cb%3E")).toEqual({ by: null, kind: null, from: null, to: null });
  });
});
