import { expect, test } from "bun:test";
import { type ApiUnderTest, keyOf, startApi } from "../support/api.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { Seed, type SeededDevice } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";
import { countTurns } from "../support/turns.ts";

const minuteMs = 60_000;
const month = "from=2026-05-20T00:00:00Z&to=2026-06-19T00:00:00Z";

async function open(engine: EngineUnderTest, fill: (seed: Seed, device: SeededDevice) => void) {
  const { database } = await engine.fresh();
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  fill(seed, seed.device(account, { name: "The first" }));
  await seed.save(database);
  const key = await keyOf(database, owner.email);
  return { api: await startApi(database), key };
}

/** All ids of a list, page after page, and in how many turns of the event loop the first page was made. */
async function readAll(api: ApiUnderTest, key: string, path: string, idOf: (row: object) => string) {
  const turns = countTurns();
  let page = await api.get(path, key);
  const turnsOfFirst = turns();
  const ids: string[] = page.body.data.map(idOf);
  while (page.body.next_cursor !== null) {
    page = await api.get(`${path.split("?")[0]}?cursor=${page.body.next_cursor}`, key);
    ids.push(...page.body.data.map(idOf));
  }
  await api.close();
  return { ids, turns: turnsOfFirst };
}

/** The first field of each record is its own id. */
const ownId = (row: object) => String(Object.values(row)[0]);

onEachEngine("a list for which much has to be looked at", (engine) => {
  /** SQLite looks on the thread that answers; a server elsewhere does not keep it. */
  const expectTurns = (turns: number, least: number) => {
    if (engine.name === "sqlite") expect(turns).toBeGreaterThanOrEqual(least);
  };

  test("finds devices by a part of their name among many, some in each turn", async () => {
    const found: string[] = [];
    const { api, key } = await open(engine, (seed, { account_id }) => {
      for (let index = 0; index < 2_600; index++) {
        const isFound = index % 700 === 3;
        const device = seed.device({ account_id, id: "" }, { name: `${isFound ? "Straße" : "Weg"} ${index}` });
        if (isFound) found.push(device.id);
      }
    });
    const { ids, turns } = await readAll(api, key, "/devices?search=strasse&limit=3", ownId);
    expect(ids).toEqual(found.sort());
    expectTurns(turns, 4);
  });

  test("finds the few alerts that fit a filter, in order and none twice", async () => {
    const found: string[] = [];
    const { api, key } = await open(engine, (seed, device) => {
      for (let index = 0; index < 4_500; index++) {
        const severity = index % 1_100 === 1_050 ? "critical" : "info";
        // Some share a moment, across the ends of parts, too.
        const occurred_at = noon - 20 * 24 * 60 * minuteMs + Math.floor(index / 3) * 3 * minuteMs;
        const alert = seed.alert(device, { severity, occurred_at });
        if (severity === "critical") found.push(alert.id);
      }
    });
    const path = `/alerts?alert_type=speeding&severity=critical&limit=3&${month}`;
    const { ids, turns } = await readAll(api, key, path, ownId);
    expect(ids).toEqual(found);
    expectTurns(turns, 2);
  });

  test("finds the valid frames behind many that were rejected", async () => {
    const found: number[] = [];
    let imei = "";
    const { api, key } = await open(engine, (seed, device) => {
      imei = device.imei;
      for (let index = 0; index < 10_600; index++) {
        const recorded_at = noon - 25 * 24 * 60 * minuteMs + index * 2 * minuteMs;
        const valid = index % 3_500 === 3_400;
        seed.frame(device, { recorded_at, valid, reject_reason: valid ? null : "no_fix" });
        if (valid) found.push(recorded_at);
      }
    });
    const timeOf = (row: object) => (row as { recorded_at: string }).recorded_at;
    const { ids, turns } = await readAll(api, key, `/positions/history?imei=${imei}&limit=2&${month}`, timeOf);
    expect(ids).toEqual(found.map((ms) => new Date(ms).toISOString()));
    expectTurns(turns, 2);
  });

  test("reads sub-accounts with their devices counted, some in each turn", async () => {
    const found: string[] = [];
    const { api, key } = await open(engine, (seed, device) => {
      for (let index = 0; index < 160; index++) {
        const user = seed.user({ account_id: device.account_id, id: "" });
        found.push(user.id);
        seed.assign(device, user);
      }
    });
    const { ids, turns } = await readAll(api, key, "/users?limit=110", ownId);
    expect(ids).toEqual(found.sort());
    expectTurns(turns, 4);
  });

  test("finds a sub-account's fences where its devices stand in very many", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const viewer = seed.user(account);
    const seen = Array.from({ length: 150 }, () => seed.device(account, { seenBy: [viewer] }));
    const unseen = seed.device(account);
    const found: string[] = [];
    for (let index = 0; index < 150; index++) {
      found.push(seed.geofence(account, { devices: [unseen, ...seen] }).id);
      // Neither one that has none of its devices, nor one that no longer has any.
      if (index % 10 === 0) seed.geofence(account, { devices: [unseen] });
      if (index % 10 === 5) {
        const left = seed.geofence(account, { devices: [...seen.slice(0, 3)] });
        seed.geofenceVersion(left, { valid_from: noon, devices: [unseen] });
      }
    }
    await seed.save(database);
    const api = await startApi(database);
    const { ids } = await readAll(api, await keyOf(database, viewer.email), "/geofences?limit=40", ownId);
    expect(ids).toEqual(found.sort());
  });

  test("sends fences with very many corners while they are read, plain and compressed", async () => {
    const ring = Array.from({ length: 1_200 }, (_, index) => [
      13 + Math.cos((index * Math.PI) / 600),
      52 + Math.sin((index * Math.PI) / 600),
    ]);
    const geometry_json = JSON.stringify({ type: "Polygon", coordinates: [[...ring, ring[0]]] });
    const found: string[] = [];
    let deviceId = "";
    const { api, key } = await open(engine, (seed, device) => {
      deviceId = device.id;
      for (let index = 0; index < 45; index++) {
        const shape = { shape: "polygon", geometry_json, radius_m: null } as const;
        found.push(seed.geofence({ account_id: device.account_id, id: "" }, { ...shape, devices: [device] }).id);
      }
    });
    found.sort();
    const ask = (path: string, encoding: string) => {
      const headers = { "X-API-Key": key, "Accept-Encoding": encoding };
      return api.api.answer(new Request(`http://odograph.test/v1${path}`, { headers }), () => "::1");
    };
    const cases = [
      { path: "/geofences?limit=40", ids: found.slice(0, 40), hasNext: true },
      { path: "/geofences?limit=45", ids: found, hasNext: false },
      { path: `/devices/${deviceId}/geofences`, ids: found, hasNext: false },
    ];
    for (const { path, ids, hasNext } of cases) {
      const response = await ask(path, "identity");
      const turns = countTurns();
      const text = await response.text();
      expect(turns()).toBeGreaterThanOrEqual(3);
      const { data, next_cursor } = JSON.parse(text);
      expect([data.map(ownId), next_cursor !== null]).toEqual([ids, hasNext]);
      const packed = new Uint8Array(await (await ask(path, "gzip")).arrayBuffer());
      expect(new TextDecoder().decode(Bun.gunzipSync(packed)).split(',"next_cursor"')[0]).toBe(
        text.split(',"next_cursor"')[0] as string,
      );
      if (hasNext) {
        const rest = await (await ask(`/geofences?cursor=${next_cursor}`, "identity")).json();
        expect((rest as { data: object[] }).data.map(ownId)).toEqual(found.slice(40));
      }
    }
    await api.close();
  });
});
