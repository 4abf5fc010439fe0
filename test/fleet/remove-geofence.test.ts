import { beforeEach, expect, test } from "bun:test";
import { removeGeofence, restoreGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { EditConflict } from "../../src/fleet/edit/stored-records.ts";
import { sql } from "../../src/store/sql.ts";
import { drives, type Following, followings, ofType, vanDrive } from "../follow/following.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, loadedAt, smallFleet, uuid } from "../support/fleet.ts";
import { alertSettings, devices, fences } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, nothingChanged, rederiveAll, take } from "../support/ingest-node.ts";

const { town } = fences;
const by = { kind: "user", id: uuid(11) } as const;
/** All frames of these tests are older: an edit of now concerns none of them. */
const now = loadedAt + hourMs;

onEachEngine("a fence that is removed", (engine) => {
  const begin = followings(engine);
  let following: Following;
  let accountId: number;
  beforeEach(async () => {
    following = await begin();
    await drives(following);
    accountId = await accountNumber(following.database);
  });

  const remove = (revision = 1, isPreview = false, at = now) =>
    removeGeofence(following.database, { accountId, id: town.id, revision, by, isPreview }, at);
  const restore = (revision: number, at = now + hourMs) =>
    restoreGeofence(following.database, { accountId, id: town.id, revision, by, isPreview: false }, at);
  const data = async (path: string, key = following.keys.olga) => (await following.api.get(path, key)).body.data;
  const listed = async (key?: string) =>
    (await data("/geofences?limit=500", key)).map(({ geofence_id }: { geofence_id: string }) => geofence_id);
  const insideOfVan = async (): Promise<string[]> => {
    const [van] = await data(`/positions/latest?device_id=${uuid(21)}`);
    return van.geofence_ids;
  };
  const events = async () => {
    const window = "from=2025-12-30&to=2026-01-20&limit=500";
    const rows = await data(`/geofence-events?${window}`);
    return rows.filter(({ geofence_id }: { geofence_id: string }) => geofence_id === town.id);
  };
  const derivePending = () => newWriter(following.database).schedule.deriveLeft();
  const facts = async () => {
    const { geofence_events, alerts } = await derivedTables(following.database);
    return { geofence_events, alerts };
  };

  test("is in no list, nobody is inside, its past stays with its name, and followers get it", async () => {
    const { olga, ann } = following.keys;
    const after = { olga: await following.now(olga), ann: await following.now(ann) };
    const past = await events();
    expect(past.length).toBeGreaterThan(0);
    await remove();
    await derivePending();
    for (const key of [olga, ann]) {
      expect(await listed(key)).not.toContain(town.id);
    }
    expect((await data(`/devices/${uuid(21)}/geofences`)).map((row: { name: string }) => row.name)).not.toContain(
      "Town",
    );
    expect(await insideOfVan()).not.toContain(town.id);
    expect(await events()).toEqual(past);
    for (const [name, key] of [["olga", olga] as const, ["ann", ann] as const]) {
      const changes = ofType(await following.since(after[name], key), "geofence");
      expect(changes).toMatchObject([{ id: town.id, change: "removed", record: null }]);
    }
  });

  test("gives the same past when it is derived again, and no crossing afterwards", async () => {
    const before = await facts();
    await remove();
    await derivePending();
    expect(await facts()).toEqual(before);
    expect(await rederiveAll(following.database)).toMatchObject(nothingChanged);
    // The same way once more, after it was removed.
    await take(following.database, [vanDrive(now + hourMs)]);
    const { geofence_events } = await facts();
    expect(geofence_events.filter(({ geofence_id }) => geofence_id === town.id)).toEqual(
      before.geofence_events.filter(({ geofence_id }) => geofence_id === town.id),
    );
  });

  test("counts again from the moment when it is put back, with the vehicles that it had", async () => {
    const members = async () => (await data(`/devices/${uuid(21)}/geofences`)).map((row: { name: string }) => row.name);
    const before = await members();
    const { geofence_events } = await facts();
    await remove();
    const after = await following.now();
    await restore(2);
    await derivePending();
    expect(await members()).toEqual(before);
    expect(await listed()).toContain(town.id);
    expect(ofType(await following.since(after), "geofence")).toMatchObject([{ id: town.id, change: "put" }]);
    expect((await facts()).geofence_events).toEqual(geofence_events);
    expect(await rederiveAll(following.database)).toMatchObject(nothingChanged);
  });

  test("without vehicles is hidden all the same, and comes back without any", async () => {
    await following.load({ ...town, device_ids: [] });
    const at = Date.now() + 1000;
    const [{ revision = 0 } = {}] = await following.database.all<{ revision: number }>(
      sql`select revision from record_revisions where account_id = ${accountId} and id = ${town.id}`,
    );
    const after = await following.now();
    await remove(revision, false, at);
    expect(await listed()).not.toContain(town.id);
    expect(ofType(await following.since(after), "geofence")).toMatchObject([{ id: town.id, change: "removed" }]);
    await restore(revision + 1, at + hourMs);
    expect(await listed()).toContain(town.id);
  });

  test("is only looked at by a preview, and left alone if it was changed meanwhile", async () => {
    const rows = () => derivedTables(following.database);
    const before = await rows();
    const effect = await remove(1, true);
    expect(effect.derived_again.vehicles).toBe(3);
    expect(await rows()).toEqual(before);
    expect(await listed()).toContain(town.id);
    await expect(remove(7)).rejects.toBeInstanceOf(EditConflict);
    await expect(restore(1)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("is in the audit log by its id alone", async () => {
    await remove();
    await restore(2);
    const rows = await following.database.all(sql`
      select action, actor, actor_id, id, details_json from audit_log where account_id = ${accountId}
      and action in ('geofence.removed', 'geofence.restored') order by at`);
    const entry = { actor: "user", actor_id: by.id, id: town.id, details_json: null };
    expect(rows).toEqual([
      { ...entry, action: "geofence.removed" },
      { ...entry, action: "geofence.restored" },
    ]);
  });
});

const { acme, olga } = smallFleet;

const truck = devices.find(({ id }) => id === uuid(22));

const limit = { alert_type: "speeding", parameters: { limit_kmh: 30 } };

const ofTag = (tag: string) => ({ type: "alert_settings", account_id: acme.id, tag, rules: [limit] });

onEachEngine("followers of alert settings", (engine) => {
  const begin = followings(engine);
  let following: Following;
  beforeEach(async () => {
    following = await begin();
  });

  /** The devices whose settings followers got since then, each as it reads now. */
  const toldSince = async (after: string, key = following.keys.olga) => {
    const changes = ofType(await following.since(after, key), "alert_settings");
    await following.asListed(changes, key);
    return changes.map(({ id }) => id).sort();
  };
  const updatedAt = async (id: string) =>
    (await following.api.get(`/devices/${id}/alert-settings`, following.keys.olga)).body.data.updated_at;

  test("reach followers of a device that once had a tag when this gets its first rules, and not of later ones", async () => {
    const own = { type: "alert_settings", device_id: uuid(22), rules: [limit] };
    await following.load(own);
    await following.load({ ...truck, tags: ["cold"] });
    await following.load({ ...truck, tags: [] });
    const [before, after] = [await updatedAt(uuid(22)), await following.now()];
    // It holds from now on, for nobody. But now a tag with rules has gone, so the settings are said to have changed then.
    const none = { ...ofTag("cold"), rules: [], valid_from: "1970-01-01" };
    await following.load(none, { ...ofTag("cold"), valid_from: new Date().toISOString() });
    expect(await updatedAt(uuid(22))).not.toBe(before);
    expect(await toldSince(after)).toEqual([uuid(22)]);
    const later = await following.now();
    await following.load({ ...ofTag("cold"), rules: [] });
    expect(await toldSince(later)).toEqual([]);
  });

  test("reach followers when a file puts back a fence with the rules that name it", async () => {
    const { database } = following;
    const removal = { accountId: await accountNumber(database), id: fences.town.id, revision: 1, isPreview: false };
    await removeGeofence(database, { ...removal, by: { kind: "user", id: olga.id } }, Date.now());
    const named = async () => {
      const { body } = await following.api.get(`/devices/${uuid(21)}/alert-settings`, following.keys.olga);
      return JSON.stringify(body.data.rules).includes(fences.town.id);
    };
    expect(await named()).toBe(false);
    const { olga: owner, ann } = following.keys;
    const after = { owner: await following.now(owner), ann: await following.now(ann) };
    await following.load(fences.town, alertSettings);
    expect(await named()).toBe(true);
    expect(await toldSince(after.owner, owner)).toEqual([uuid(21)]);
    expect(await toldSince(after.ann, ann)).toEqual([uuid(21)]);
  });
});
