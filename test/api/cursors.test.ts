import { expect, test } from "bun:test";
import type { CursorContent } from "../../src/api/input/cursor.ts";
import { Seals } from "../../src/api/input/sealed.ts";
import { routeDeps } from "../../src/api/route-deps.ts";
import { sql } from "../../src/store/sql.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";

const day = "from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z";

/** A list, with a page size that leaves a next page of the owner's fleet. */
const lists = [
  "/devices?limit=1",
  "/devices?limit=1&status=active",
  "/positions/latest?limit=1",
  `/trips?limit=1&${day}`,
  `/alerts?limit=1&${day}`,
  `/alerts?limit=1&severity=warning&acknowledged=false&alert_type=speeding&${day}`,
  `/sensors/fuel?limit=1&${day}`,
  `/geofence-events?limit=1&${day}`,
  "/geofences?limit=1",
  "/users?limit=1",
];

async function cursorOf(api: ApiUnderTest, path: string, key: string): Promise<string> {
  const { status, body } = await api.get(path, key);
  expect([path, status]).toEqual([path, 200]);
  expect(body.next_cursor).toBeString();
  return body.next_cursor;
}

/** A client can read its cursor. */
function contentOf(cursor: string): CursorContent {
  return JSON.parse(Buffer.from(cursor.split(".")[0] ?? "", "base64url").toString())[1];
}

function pathOf(list: string): string {
  return list.split("?")[0] ?? list;
}

/** Refused as a wrong request whose message names the cursor. */
async function expectRefused(api: ApiUnderTest, path: string, key: string): Promise<void> {
  const { status, body } = await api.get(path, key);
  expect([path, status, body.error?.code]).toEqual([path, 400, "INVALID_REQUEST"]);
  expect(body.error.message).toMatch(/^cursor: /);
}

onEachEngine("a cursor", (engine) => {
  const given = sharedFleetApi(engine);

  test("works with the first request's parameters beside it and without, for any key of the same user", async () => {
    const { api, key } = given();
    const [mine, another] = [await key(), await key()];
    for (const list of lists) {
      const cursor = await cursorOf(api, list, mine);
      const alone = await api.get(`${pathOf(list)}?cursor=${cursor}`, mine);
      const beside = await api.get(`${list}&cursor=${cursor}`, another);
      expect([list, alone.status, alone.text]).toEqual([list, 200, beside.text]);
      expect(alone.body.data).toHaveLength(1);
      for (const name of ["X-Window-From", "X-Window-To", "X-Window-Clamped"]) {
        expect(alone.headers.get(name)).toBe(beside.headers.get(name));
      }
    }
  });

  test("works after a restart and on another node", async () => {
    const { api, key, node, open } = given();
    const mine = await key();
    const others = [await node(), await node(await open())];
    for (const list of lists) {
      const next = `${pathOf(list)}?cursor=${await cursorOf(api, list, mine)}`;
      const here = await api.get(next, mine);
      for (const other of others) expect((await other.get(next, mine)).text).toBe(here.text);
    }
  });

  test("is of one endpoint, one sensor kind and one viewer", async () => {
    const { api, key, fleet } = given();
    const mine = await key();
    const strangers = [await key({ email: fleet.anna.email }), await key({ email: fleet.otherOwner.email })];
    for (const [index, list] of lists.entries()) {
      const cursor = await cursorOf(api, list, mine);
      for (const stranger of strangers) await expectRefused(api, `${pathOf(list)}?cursor=${cursor}`, stranger);
      const elsewhere = lists.map(pathOf).filter((path) => path !== pathOf(list));
      await expectRefused(api, `${elsewhere[index % elsewhere.length]}?cursor=${cursor}`, mine);
    }
    const fuel = await cursorOf(api, `/sensors/fuel?limit=1&${day}`, mine);
    for (const kind of ["temperature", "tyre"]) await expectRefused(api, `/sensors/${kind}?cursor=${fuel}`, mine);
  });

  test("shows no number that the store gives to devices of all accounts, nor to changes", async () => {
    const { api, key } = given();
    const mine = await key();
    const changes = (await api.get("/changes", mine)).body.resume_after;
    expect(changes).toMatch(/^[\w-]{64}$/);
    for (const list of lists) {
      const { key: place } = contentOf(await cursorOf(api, list, mine));
      const shown = typeof place === "object" ? Object.keys(place as object).toSorted() : [typeof place];
      expect([list, ["string", "at,id"].includes(shown.join())]).toEqual([list, true]);
    }
  });

  test("of readings that an earlier version made goes on", async () => {
    const { api, key, database } = given();
    const mine = await key();
    const { cursors, seals } = await routeDeps(database);
    for (const list of [`/sensors/fuel?limit=1&${day}`, `/sensors/temperature?limit=2&${day}`]) {
      const cursor = await cursorOf(api, list, mine);
      const content = contentOf(cursor);
      const open = JSON.parse(seals.open(content.userId, content.key as string) ?? "");
      expect(Object.keys(open)).toEqual(["at", "device", "digest", "sensor"]);
      const earlier = cursors.encode({ ...content, key: open });
      const { status, text } = await api.get(`${pathOf(list)}?cursor=${earlier}`, mine);
      expect([status, text]).toEqual([200, (await api.get(`${pathOf(list)}?cursor=${cursor}`, mine)).text]);
    }
  });

  test("that was not made here is refused: any character changed, cut off, added, another store's", async () => {
    const { api, key, database, node } = given();
    const mine = await key();
    const path = "/devices";
    const cursor = await cursorOf(api, `${path}?limit=1`, mine);
    const changed = (text: string) => [..."AaBb01-_.~"].find((other) => other !== text) ?? "A";
    // Where it is stored does not matter: on PostgreSQL some of them.
    const step = engine.name === "sqlite" ? 1 : 11;
    for (let index = 0; index < cursor.length; index += step) {
      const forged = cursor.slice(0, index) + changed(cursor[index] ?? "") + cursor.slice(index + 1);
      await expectRefused(api, `${path}?cursor=${encodeURIComponent(forged)}`, mine);
    }
    // Every last character: its low bits say nothing in base 64, and still it is another cursor.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const last of alphabet) {
      if (cursor.endsWith(last)) continue;
      await expectRefused(api, `${path}?cursor=${cursor.slice(0, -1)}${last}`, mine);
    }
    for (let length = 1; length < cursor.length; length += 7) {
      await expectRefused(api, `${path}?cursor=${cursor.slice(0, length)}`, mine);
    }
    const [payload = "", signature = ""] = cursor.split(".");
    const odd = [
      "null",
      ".",
      "..",
      payload,
      `${payload}.`,
      `.${signature}`,
      `${cursor}.`,
      `${cursor}A`,
      `${cursor}%3D`,
    ];
    const other = ["%00", "%F0%9F%9A%9A", "a".repeat(4097), `${payload}%0A.${signature}`, `${payload}.${signature}%20`];
    for (const text of [...odd, ...other]) await expectRefused(api, `${path}?cursor=${text}`, mine);

    // A store with another secret signs otherwise.
    const secret = await database.get<{ value: string }>(sql`select value from secrets where name = 'cursor_signing'`);
    await database.transaction((tx) => tx.run(sql`update secrets set value = 'another' where name = 'cursor_signing'`));
    const elsewhere = await node();
    await database.transaction((tx) =>
      tx.run(sql`update secrets set value = ${secret?.value ?? ""} where name = 'cursor_signing'`),
    );
    await expectRefused(elsewhere, `${path}?cursor=${cursor}`, mine);
    await expectRefused(api, `${path}?cursor=${await cursorOf(elsewhere, `${path}?limit=1`, mine)}`, mine);
  });

  test("is contradicted by another value of a parameter it carries, and by nothing else", async () => {
    const { api, key, fleet } = given();
    const mine = await key();
    const { van, truck } = fleet;
    const contradictions: [first: string, beside: string[]][] = [
      ["/devices?limit=1&status=active&search=a", ["status=inactive", "search=b", "search=A"]],
      [`/alerts?limit=1&severity=warning&${day}`, ["severity=info", "acknowledged=true", "alert_type=sos"]],
      [`/alerts?limit=1&${day}`, ["from=2026-06-15T00:00:01Z", "to=2026-06-15T23:00:00Z", `device_id=${van.id}`]],
      [`/trips?limit=1&device_id=${van.id}&${day}`, [`device_id=${truck.id}`, `imei=${truck.imei}`]],
      [`/positions/history?limit=1&device_id=${van.id}&${day}`, ["valid_only=false", `imei=${truck.imei}`]],
      ["/positions/latest?limit=1", [`device_id=${van.id}`, `imei=${van.imei}`]],
    ];
    for (const [first, besides] of contradictions) {
      const cursor = await cursorOf(api, first, mine);
      for (const beside of besides) await expectRefused(api, `${pathOf(first)}?cursor=${cursor}&${beside}`, mine);
      for (const agreeing of ["limit=7", "unknown=1", "search=&x=", first.split("?")[1] ?? ""]) {
        if (agreeing.startsWith("search") && !first.startsWith("/devices")) continue;
        const { status } = await api.get(`${pathOf(first)}?cursor=${cursor}&${agreeing.replace("limit=1&", "")}`, mine);
        expect([first, agreeing, status]).toEqual([first, agreeing, 200]);
      }
    }
    // The same device under its other name, and the same moment in another form, are no contradiction.
    const byId = await cursorOf(api, `/trips?limit=1&device_id=${van.id}&${day}`, mine);
    const same = `imei=${van.imei}&from=2026-06-15T02:00:00%2B02:00&to=2026-06-16`;
    expect((await api.get(`/trips?cursor=${byId}&${same}`, mine)).status).toBe(200);
  });

  test("keeps a window that was left open or shortened, by its parameters or by what came of them", async () => {
    const { api, key } = given();
    const mine = await key();
    const clamped = "from=2026-01-01&to=2026-06-16";
    const first = await api.get(`/alerts?limit=1&${clamped}`, mine);
    const resolved = `from=${first.headers.get("X-Window-From")}&to=${first.headers.get("X-Window-To")}`;
    for (const beside of [clamped, resolved, ""]) {
      const { status, headers } = await api.get(`/alerts?cursor=${first.body.next_cursor}&${beside}`, mine);
      expect([beside, status, headers.get("X-Window-Clamped")]).toEqual([beside, 200, "true"]);
      expect(headers.get("X-Window-From")).toBe("2026-05-16T00:00:00.000Z");
    }
    await expectRefused(api, `/alerts?cursor=${first.body.next_cursor}&from=2026-01-02`, mine);
  });

  test("gives 404 for a device that came out of sight meanwhile, as for one that never was", async () => {
    const { api, key, fleet, database } = given();
    const { ben, truck, acme, anna } = fleet;
    const bens = await key({ email: ben.email });
    const paths = ["/trips", "/alerts", "/positions/history", "/sensors/tyre", "/geofence-events"];
    const cursors = await Promise.all(
      paths.map((path) => cursorOf(api, `${path}?limit=1&device_id=${truck.id}&${day}`, bens)),
    );
    const { id, imei, name, plate } = truck;
    const line = { type: "device", id, account_id: acme.id, imei, name, plate };
    await load(database, [{ ...line, user_ids: [anna.id] }]);
    for (const [index, path] of paths.entries()) {
      const next = await api.get(`${path}?cursor=${cursors[index]}`, bens);
      const unknown = await api.get(`${path}?device_id=0b5f1c1e-0000-4000-8000-000000000000`, bens);
      expect([path, next.status, next.body.error]).toEqual([path, 404, unknown.body.error]);
    }
    await load(database, [{ ...line, user_ids: [anna.id, ben.id] }]);
    for (const [index, path] of paths.entries()) {
      expect((await api.get(`${path}?cursor=${cursors[index]}`, bens)).status).toBe(200);
    }
  });
});

const seals = new Seals("a secret");

test("a sealed text is opened for its holder, and nobody else", () => {
  const sealed = seals.seal("anna", "1 2 3");
  expect(seals.open("anna", sealed)).toBe("1 2 3");
  expect(seals.seal("anna", "1 2 3")).toBe(sealed);
  expect(seals.open("ben", sealed)).toBeNull();
  expect(new Seals("another secret").open("anna", sealed)).toBeNull();
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("1 2 3");
});

test("a changed or cut text is not opened, whichever character it is", () => {
  const sealed = seals.seal("anna", "number 4711");
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === "A" ? "B" : "A";
    expect(seals.open("anna", sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeNull();
    expect(seals.open("anna", sealed.slice(0, at))).toBeNull();
  }
  for (const odd of ["", "=", `${sealed}=`, `${sealed} `, "€", "x".repeat(10_000)]) {
    expect(seals.open("anna", odd)).toBeNull();
  }
});
