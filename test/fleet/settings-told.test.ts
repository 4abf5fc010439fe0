import { afterEach, beforeEach, expect, test } from "bun:test";
import { removeGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { type Following, followings, ofType } from "../follow/following.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { alertSettings, devices, fences } from "../support/ingest-fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

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
  afterEach(async () => {
    await following.api.close();
  });

  /** The devices whose settings are told since then, and that they are told as they read now. */
  const toldSince = async (after: string, key = following.keys.olga) => {
    const told = ofType(await following.since(after, key), "alert_settings");
    await following.asListed(told, key);
    return told.map(({ id }) => id).sort();
  };
  const updatedAt = async (id: string) =>
    (await following.api.get(`/devices/${id}/alert-settings`, following.keys.olga)).body.data.updated_at;

  test("are told of a device that once had a tag when this gets its first rules, and not of later ones", async () => {
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

  test("are told when a file puts back a fence with the rules that name it", async () => {
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
