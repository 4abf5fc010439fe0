import { expect, setSystemTime, test } from "bun:test";
import fc from "fast-check";
import { sql } from "../../src/store/sql.ts";
import { noting } from "../support/altered.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { type FleetApi, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";
import type { SeededDevice } from "../support/seed.ts";
import { show } from "../support/viewers.ts";

const latest = "/positions/latest";

/** The device's line in a fleet file, with changes. */
function line(device: SeededDevice, accountId: string, userIds: readonly string[], changes: object = {}) {
  const { id, imei, name, plate, status } = device;
  return { type: "device", id, account_id: accountId, imei, name, plate, status, user_ids: userIds, ...changes };
}

async function tagOf(api: ApiUnderTest, key: string, path = latest): Promise<string> {
  const response = await api.get(path, key);
  expect(response.status).toBe(200);
  return response.headers.get("ETag") ?? "";
}

onEachEngine("the ETag of the live positions", (engine) => {
  const given = sharedFleetApi(engine);

  test("is a strong tag, on the 304 as well, and the answers may be kept but must be asked about", async () => {
    const { api, key } = given();
    const owner = await key();
    const first = await api.get(latest, owner);
    const tag = first.headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
    const again = await api.get(latest, owner, { "If-None-Match": tag });
    expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", tag]);
    expect(again.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(again.headers.get("Content-Type")).toBeNull();
    // The second time pages of devices are ready.
    for (const path of ["/devices", "/devices", "/trips", "/users", "/nothing", "/health"]) {
      const { headers } = await api.get(path, owner, { "If-None-Match": "*" });
      expect([path, headers.get("Cache-Control"), headers.get("ETag")]).toEqual([path, "no-store", null]);
    }
  });

  test("is found in lists, in weak form and by *, and not in anything else", async () => {
    const { api, key } = given();
    const owner = await key();
    const tag = await tagOf(api, owner);
    const matching = [tag, `W/${tag}`, `"a", ${tag}`, `"a","b" ,W/${tag} , "c"`, "*", " * ", `${tag},${tag}`];
    const others = ['"a"', `W/"a"`, tag.slice(1, -1), `${tag}x`, `"${tag}"`, "", ",", ",,,", '"', "W/", "W/*", "**"];
    const junk = ["\u00e4\u00ff", '"a\\"b"', "x".repeat(5_000), Array(500).fill('"a"').join(",")];
    for (const value of matching) {
      expect([value, (await api.get(latest, owner, { "If-None-Match": value })).status]).toEqual([value, 304]);
    }
    for (const value of [...others, ...junk]) {
      expect([value, (await api.get(latest, owner, { "If-None-Match": value })).status]).toEqual([value, 200]);
    }
  });

  test("of an unchanged fleet is known without reading a row", async () => {
    const { database, key, node } = given();
    const texts: string[] = [];
    const api = await node(noting(database, ({ text }) => texts.push(text)));
    const owner = await key();
    const tag = await tagOf(api, owner);
    expect(texts.some((text) => text.includes("latest_positions"))).toBe(true);
    texts.length = 0;
    const commits = database.commits();
    for (let polls = 0; polls < 20; polls++) {
      expect((await api.get(latest, owner, { "If-None-Match": tag })).status).toBe(304);
    }
    // Where commits are announced, even the revision is read only once after each.
    const most = commits === null ? 20 : 1 + Number(database.commits()) - commits;
    expect(texts.filter((text) => text.includes("viewer_revisions")).length).toBeLessThanOrEqual(most);
    expect(texts.filter((text) => !/viewer_revisions|api_keys|insert into key_counters/.test(text))).toEqual([]);
    // And not even if there were nothing to read.
    await withoutTable(database, "latest_positions", async () => {
      expect((await api.get(latest, owner, { "If-None-Match": tag })).status).toBe(304);
      expect((await api.get(latest, owner)).status).toBe(200);
    });
  });

  test("a viewer whose role changes sees the new picture, even if the old one was asked for in the same moment", async () => {
    const { api, database, fleet, key } = given();
    const { owner, acme } = fleet;
    const ofOwner = await key();
    expect((await api.get(latest, ofOwner)).body.data).toHaveLength(4);
    const { id, name, email } = owner;
    await load(database, [{ type: "user", id, account_id: acme.id, name, email, role: "sub_account" }]);
    // For a moment the key is still believed to be the owner's.
    await api.get(latest, ofOwner);
    try {
      setSystemTime(Date.now() + 1_000);
      expect((await api.get(latest, ofOwner)).body.data).toEqual([]);
    } finally {
      setSystemTime();
    }
    await load(database, [{ type: "user", id, account_id: acme.id, name, email, role: "owner" }]);
  });

  test("property: it is the same if and only if the body is, and every node shows what the store holds", async () => {
    const fleetApi = given();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(5), fc.nat(4), fc.nat(2)), { minLength: 1, maxLength: 6 }), (steps) =>
        followTags(fleetApi, steps),
      ),
      { numRuns: engine.name === "sqlite" ? 25 : 8 },
    );
  });
});

/** Changes the fleet step by step and holds each viewer's answers against those of a node that has kept nothing. */
async function followTags(fleetApi: FleetApi, steps: readonly (readonly [number, number, number])[]): Promise<void> {
  const { api, database, fleet, key, node } = fleetApi;
  const { seed, acme, owner, anna, ben, van, truck, car, trailer, otherVan } = fleet;
  const devices = [van, truck, car, trailer];
  const viewers = [owner, anna, ben];
  const keys = await Promise.all(viewers.map(({ email }) => key({ email })));
  const userIds = async (device: SeededDevice) => {
    const rows = await database.all<{ user_id: string }>(
      sql`select user_id from assignments where device = ${device.device}`,
    );
    return rows.map(({ user_id }) => user_id);
  };
  const known = new Map<string, Map<string, string>>();
  const look = async () => {
    const untouched = await node();
    for (const [index, one] of keys.entries()) {
      // Of a page, and of a list that is narrowed to a device, as well.
      for (const query of ["", "?limit=1", "?limit=2", ...(index === 0 ? [`?device_id=${van.id}`] : [])]) {
        const [kept, fresh] = [await api.get(latest + query, one), await untouched.get(latest + query, one)];
        expect(kept.text).toBe(fresh.text);
        expect(kept.headers.get("ETag")).toBe(fresh.headers.get("ETag"));
        const tags = known.get(`${index}${query}`) ?? new Map<string, string>();
        known.set(`${index}${query}`, tags);
        const tag = kept.headers.get("ETag") ?? "";
        expect(tags.get(kept.text) ?? tag).toBe(tag);
        for (const [text, other] of tags) if (text !== kept.text) expect(other).not.toBe(tag);
        tags.set(kept.text, tag);
      }
    }
    await untouched.close();
  };
  await look();
  for (const [kind, which, value] of steps) {
    const device = devices[which % devices.length] ?? van;
    const users = await userIds(device);
    if (kind <= 1) {
      seed.position(kind === 0 ? device : otherVan, { speed_kmh: value });
      await seed.save(database);
      // The seed does not know whom a fleet file has assigned.
      const { account_id } = acme;
      const viewers = kind === 0 ? users.map((user_id) => ({ account_id, user_id })) : [];
      await database.transaction((tx) => show(tx, viewers, "live positions"));
    } else if (kind <= 3) {
      await load(database, [line(device, acme.id, users, kind === 2 ? { name: `N${value}` } : { plate: `P${value}` })]);
    } else {
      const user = value === 0 ? anna.id : ben.id;
      const changed = users.includes(user) ? users.filter((one) => one !== user) : [...users, user];
      await load(database, [line(device, acme.id, changed)]);
    }
    await look();
  }
}
