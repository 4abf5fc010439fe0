import { expect, test } from "bun:test";
import { eraseDriver } from "../../src/fleet/edit/erase-driver.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { seenDriverIds } from "../../src/store/fleet/drivers.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { command, foundInTables } from "../support/erasing.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet, uuid } from "../support/fleet.ts";
import { batched } from "../support/ingest-arrival.ts";
import { home, loadIngestFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { Track } from "../support/track.ts";

const morning = Date.UTC(2026, 2, 17, 8);
const { acme, olga, ann, bob, rival, rita } = smallFleet;
const [amaraTag, otherTag] = ["0000001A2B3C4D5E", "00F1"] as const;
const amara = { type: "driver", id: uuid(51), account_id: acme.id, name: "Amara", driver_ids: [amaraTag] };
const window = "from=2026-03-17&to=2026-03-18";

/** Parked with a tag of another, too long ago to be the driver's; then one drive with none, then two; then one of nobody. */
function drives(): IncomingFrame[] {
  const track = new Track(vanImei, morning, home);
  track.fields = { driver_id: otherTag };
  track.stand(10);
  // So long before it leaves that this says nothing of who drives.
  track.fields = {};
  track.stand(35).drive(5, 50);
  track.fields = { driver_id: amaraTag };
  track.drive(5, 50);
  track.fields = { driver_id: otherTag };
  track.drive(5, 50);
  track.fields = {};
  track.stand(30).drive(10, 50).stand(30);
  return track.frames;
}

function truckDrive(): IncomingFrame[] {
  const track = new Track(truckImei, morning, home);
  track.fields = { driver_id: amaraTag };
  track.drive(10, 50).stand(5);
  return track.frames;
}

const sent = [...drives(), ...truckDrive()];

onEachEngine("who drives", (engine) => {
  const copied = engine.copies(async ({ database }) => {
    await loadIngestFleet(database);
    await take(database, [sent]);
    await load(database, [amara]);
  });

  async function opened(store: FreshDatabase) {
    const api = await startApi(store.database);
    const key = await keyOf(store.database, olga.email);
    // biome-ignore lint/suspicious/noExplicitAny: the answers of the API are what is tested
    const data = async (path: string, other = key): Promise<any[]> => (await api.get(path, other)).body.data;
    return { api, key, data };
  }

  const who = (rows: readonly { driver_id: string | null; driver_name: string | null }[]) =>
    rows.map(({ driver_id, driver_name }) => [driver_id, driver_name]);

  test("a trip has the first id that was sent on it, whatever the order in which frames come", async () => {
    for (const batches of [[sent], batched(sent.toReversed(), randomNumbers(11), 20)]) {
      const { database } = await engine.fresh();
      await loadIngestFleet(database);
      await take(database, batches);
      const trips = await database.all<{ driver_id: string | null }>(sql`
        select t.driver_id from trips t join devices d on d.account_id = t.account_id and d.device = t.device
        order by d.imei, t.started_at`);
      expect(trips.map(({ driver_id }) => driver_id)).toEqual([amaraTag, null, amaraTag]);
    }
  });

  test("ids and names are on trips and on positions of every list, and null where nobody is known", async () => {
    const store = await copied();
    const { database } = store;
    const { api, data } = await opened(store);
    expect(who(await data(`/trips?imei=${vanImei}&${window}`))).toEqual([
      [amaraTag, "Amara"],
      [null, null],
    ]);
    const [handedOver, unknown] = await data(`/trips?imei=${vanImei}&${window}`);
    const handedAt = handedOver.drivers[0]?.until;
    expect(handedOver.drivers).toEqual([
      { driver_id: amaraTag, driver_name: "Amara", from: handedOver.started_at, until: handedAt },
      { driver_id: otherTag, driver_name: null, from: handedAt, until: handedOver.ended_at },
    ]);
    expect(handedAt > handedOver.started_at && handedAt < handedOver.ended_at).toBe(true);
    expect(unknown.drivers).toEqual([]);
    const [stored] = await database.all<{ account_id: number }>(sql`select account_id from trips`);
    const seen = await seenDriverIds(database, stored?.account_id ?? 0);
    expect(seen.map(({ driver_id }) => driver_id).toSorted()).toEqual([amaraTag, otherTag]);
    const history = await data(`/positions/history?imei=${vanImei}&${window}&limit=500`);
    expect(new Set(who(history).map(String))).toEqual(new Set([`${otherTag},`, ",", `${amaraTag},Amara`]));
    // Frame by frame, in blocks with and without drivers and in rows.
    const sentBy = new Map(drives().map(({ recordedAt, driver_id }) => [recordedAt, driver_id ?? null]));
    expect(history.map(({ recorded_at, driver_id }) => [Date.parse(recorded_at), driver_id])).toEqual([...sentBy]);
    expect(await database.all(sql`select device from frame_blocks`)).not.toEqual([]);
    expect(who(await data("/positions/latest"))).toEqual([
      [null, null],
      [amaraTag, "Amara"],
    ]);
    const at = `/positions/at?time=${new Date(morning + 300_000).toISOString()}`;
    expect(who(await data(at))).toEqual([
      [otherTag, null],
      [amaraTag, "Amara"],
    ]);
    const csv = (
      await api.get(
        `/trips?imei=${vanImei}&${window}&format=csv&fields=driver_id,driver_name`,
        await keyOf(store.database, olga.email),
      )
    ).text;
    expect(csv).toContain(`${amaraTag},Amara`);
    await api.close();
  });

  test("a new name shows at once, without deriving, to all who see the vehicle and to nobody else", async () => {
    const store = await copied();
    const { api, key, data } = await opened(store);
    const [annsKey, bobsKey, ritasKey] = await Promise.all(
      [ann.email, bob.email, rita.email].map((email) => keyOf(store.database, email)),
    );
    const etags = new Map<string, string>();
    for (const each of [key, annsKey, bobsKey]) {
      etags.set(each ?? "", (await api.get("/positions/latest", each)).headers.get("etag") ?? "");
    }
    const folds = () => store.database.all(sql`select device, revision from device_folds order by device`);
    const before = await folds();
    await load(store.database, [{ ...amara, name: "Amara Okafor", driver_ids: [amaraTag, otherTag] }]);
    expect(await folds()).toEqual(before);
    for (const [each, etag] of etags) {
      const { status, body } = await api.get("/positions/latest", each, { "If-None-Match": etag });
      expect([status, body.data.at(-1).driver_name]).toEqual([200, "Amara Okafor"]);
    }
    expect(who(await data(`/trips?${window}`, annsKey))).toContainEqual([amaraTag, "Amara Okafor"]);
    expect(await data(`/trips?${window}`, ritasKey)).toEqual([]);
    await api.close();
  });

  test("followers get the trips again that show another name, and no others", async () => {
    const store = await copied();
    const { api, key } = await opened(store);
    const changes = async (after: string) => (await api.get(`/changes?after=${after}&types=trip,device`, key)).body;
    const { resume_after: next } = (await api.get("/changes", key)).body;
    expect(next).toBeString();
    await load(store.database, [{ ...amara, name: "Amara Okafor" }]);
    const { data } = await changes(next);
    // biome-ignore lint/suspicious/noExplicitAny: the answers of the API are what is tested
    const names = data.map(({ change, record }: any) => [change, record.driver_name]);
    expect(names).toEqual([
      ["put", "Amara Okafor"],
      ["put", "Amara Okafor"],
    ]);
    await api.close();
  });

  test("another account's driver of the same tag is another person", async () => {
    const store = await copied();
    await load(store.database, [{ ...amara, id: uuid(52), account_id: rival.id, name: "Rivals' Rui" }]);
    const { api, data } = await opened(store);
    expect(JSON.stringify(await data(`/trips?${window}`))).not.toContain("Rui");
    await api.close();
  });

  test("a fleet file has drivers, exports them, and refuses a tag that two claim", async () => {
    const { database } = await copied();
    const line = { ...amara, driver_ids: [otherTag, amaraTag, otherTag] };
    expect((await load(database, [line])).drivers).toEqual({ added: 0, changed: 1, unchanged: 0 });
    expect((await load(database, [line])).drivers).toEqual({ added: 0, changed: 0, unchanged: 1 });
    const exported = recordsIn(await exportedText(database)).filter(({ type }) => type === "driver");
    expect(exported).toEqual([{ ...amara, driver_ids: [amaraTag, otherTag].toSorted() }]);
    const second = { ...amara, id: uuid(53), name: "Ben", driver_ids: [otherTag] };
    expect(load(database, [second])).rejects.toThrow("00F1 belongs to another driver already");
    expect(load(database, [line, second])).rejects.toThrow('field "driver_ids": 00F1 is used by line 1 already');
    expect(load(database, [{ ...second, driver_ids: ["x".repeat(65)] }])).rejects.toThrow("text of 1 to 64 characters");
    // They swap in one file.
    await load(database, [second, { ...amara, driver_ids: [amaraTag] }]);
    await load(database, [
      { ...second, driver_ids: [amaraTag] },
      { ...amara, driver_ids: [otherTag] },
    ]);
    const tags = await database.all(sql`select driver_id, id from driver_tags order by driver_id`);
    expect(tags).toEqual([
      { driver_id: amaraTag, id: uuid(53) },
      { driver_id: otherTag, id: uuid(51) },
    ]);
  });

  test("nothing is left of the name of a driver who is erased, and a file does not bring it back unasked", async () => {
    const store = await copied();
    const { database } = store;
    const [account] = await database.all<{ account_id: number }>(
      sql`select account_id from accounts where id = ${acme.id}`,
    );
    const removal = {
      accountId: account?.account_id ?? 0,
      id: amara.id,
      by: command,
      revision: null,
      isPreview: false,
    };
    await eraseDriver(database, removal, Date.now());
    expect(await foundInTables(database, ["Amara"])).toEqual([]);
    const { api, data } = await opened(store);
    expect(who(await data(`/trips?imei=${truckImei}&${window}`))).toEqual([[amaraTag, null]]);
    expect((await data("/positions/latest")).at(-1).driver_name).toBeNull();
    await api.close();
    expect(load(database, [amara])).rejects.toThrow(`driver ${amara.id} was erased, and the file would add it anew`);
    await load(database, [amara], Date.now(), undefined, true);
    expect(await foundInTables(database, ["Amara"])).not.toEqual([]);
  });
});
