import { expect } from "bun:test";
import { activeUser } from "../../src/access/active-user.ts";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import { tidyChanges } from "../../src/derive/upkeep/tidy-changes.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { restoreDevice } from "../../src/fleet/edit/remove-device.ts";
import { removeGeofence, restoreGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { acknowledgeAlerts } from "../../src/store/facts/alert-acknowledgements.ts";
import { directoryById } from "../../src/store/fleet/device-writes.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { sql } from "../../src/store/sql.ts";
import { command, eraseDevice, keepAndHide } from "../support/erasing.ts";
import { type FleetRecord, user } from "../support/fleet.ts";
import { accountNumber, rederiveAll } from "../support/ingest-node.ts";
import { until } from "../support/patience.ts";
import { shuffled } from "../support/random-drive.ts";
import type { Follower } from "./follower.ts";
import { someMoment } from "./frames.ts";
import type { Nodes } from "./nodes.ts";
import { PortalUser } from "./portal.ts";
import { annId, bobId, fence, type LoadedDevice, settings, vehicle, type World } from "./world.ts";

export interface Scene {
  readonly world: World;
  readonly nodes: Nodes;
  readonly random: () => number;
  readonly olga: PortalUser;
  /** Whose copy says which alerts there are. */
  readonly owner: Follower;
}

type Action = (scene: Scene) => Promise<void>;

export const takesAndGivesBack = "takes a vehicle away and gives it back";
export const erasesAndLoads = "erases a vehicle and loads it again";

/** What people and clocks do to a fleet, each as likely as its number says. They are done one after the other. */
export const actions: Readonly<Record<string, readonly [number, Action]>> = {
  "renames a vehicle": [
    3,
    ({ world, random }) => change(world, some(world.devices, random), { name: text(random), plate: text(random) }),
  ],
  "gives a vehicle another IMEI": [2, changeImei],
  "gives a vehicle another tank": [
    2,
    ({ world, random }) =>
      change(world, some(world.devices, random), { fuel_tank_capacity_l: 40 + Math.floor(random() * 100) }),
  ],
  "adds a vehicle": [1, addVehicle],
  "removes a vehicle and puts it back": [3, removeAndRestore],
  [erasesAndLoads]: [2, eraseAndLoad],
  "assigns a vehicle by file": [4, assignByFile],
  [takesAndGivesBack]: [4, takeAndGiveBack],
  "assigns vehicles in the portal": [4, assignInPortal],
  "moves a fence": [4, moveFence],
  "renames a fence": [2, ({ world, random }) => rename(world, some(world.fences, random), text(random))],
  "gives a fence other vehicles": [4, changeFenceDevices],
  "adds a fence": [1, addFence],
  "removes a fence and puts it back": [3, removeAndRestoreFence],
  "renames a user": [2, ({ world, random }) => rename(world, some(world.users.slice(1, 4), random), text(random))],
  "disables or enables a user": [2, disableOrEnable],
  "adds a user": [1, addUser],
  "signs in": [2, signIn],
  "acknowledges an alert": [4, acknowledge],
  "acknowledges an alert in the portal": [3, acknowledgeInPortal],
  "changes alert settings": [3, changeSettings],
  "changes the rules of a tag": [3, changeTagRules],
  "changes the rules for all": [1, changeRulesForAll],
  "gives a vehicle other tags": [
    3,
    ({ world, random }) =>
      change(world, some(world.devices, random), { tags: ["cold", "fast", "night"].filter(() => random() < 0.5) }),
  ],
  "changes the time zone": [1, changeTimeZone],
  "derives everything again": [1, async ({ world }) => void (await rederiveAll(world.store.database))],
  "merges old changes": [2, ({ world }) => tidy(world, 3)],
  "forgets old removals": [1, forgetRemovals],
  "notices silence": [3, async ({ world }) => void (await watchSilence(world.store.database, Date.now()))],
  "notices who is offline": [2, async ({ world }) => void (await watchOffline(world.store.database, Date.now()))],
};

/** The names of actions to come: first each of them once, then each by its weight. */
export function deckOf(random: () => number): () => string {
  const names = Object.keys(actions);
  const weighted = Object.entries(actions).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name));
  const first = shuffled(names, random);
  return () => first.pop() ?? some(weighted, random);
}

function some<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

function subset<T>(items: readonly T[], random: () => number): T[] {
  return items.filter(() => random() < 0.5);
}

function text(random: () => number): string {
  return `N ${Math.floor(random() * 1_000_000)}`;
}

/** Loads the record with these fields changed. */
async function change(world: World, record: Record<string, unknown>, fields: Record<string, unknown>): Promise<void> {
  Object.assign(record, fields);
  await world.write([record]);
}

function rename(world: World, record: Record<string, unknown>, name: string): Promise<void> {
  return change(world, record, { name });
}

function changeImei({ world, random }: Scene): Promise<void> {
  return change(world, some(world.devices, random), { imei: someImei(random) });
}

function someImei(random: () => number): string {
  return String(350_000_000_000_000 + Math.floor(random() * 1_000_000_000));
}

async function addVehicle({ world, random }: Scene): Promise<void> {
  const added = vehicle(1_000 + world.devices.length, []);
  world.devices.push(added);
  const userIds = subset([annId, bobId], random);
  await world.assign(added, userIds, () => world.write([added]));
}

/** Frames that come in between are refused, and sent again. Its assignments end, and are made again. */
async function removeAndRestore({ world, random }: Scene): Promise<void> {
  const target = some(world.devices, random);
  const userIds = target.user_ids;
  const { database } = world.store;
  const wanted = { accountId: await accountNumber(database), id: target.id };
  await world.assign(target, [], async () => void (await keepAndHide(database, wanted)));
  await Bun.sleep(random() * 20);
  await restoreDevice(database, { ...wanted, by: command }, Date.now());
  // The fleet file goes on to say what it is like.
  await database.transaction((tx) => tx.run(sql`delete from record_revisions where id = ${target.id}`));
  await world.assign(target, userIds, () => world.write([target]));
}

/** The server erases, too. Afterwards it is another vehicle with the same id, and the same people see it. */
async function eraseAndLoad({ world, random }: Scene): Promise<void> {
  const target = some(world.devices, random);
  const userIds = target.user_ids;
  const { database } = world.store;
  const wanted = { accountId: await accountNumber(database), id: target.id };
  await world.assign(target, [], async () => void (await eraseDevice(database, wanted)));
  await until(async () => (await directoryById(database, [target.id])).length === 0);
  world.erased.add(target.id);
  await world.assign(target, userIds, () => world.write([target]));
}

/** Mostly between two polls, while its frames come in. Another IMEI, meanwhile, changes all that it ever did. */
async function takeAndGiveBack({ world, random }: Scene): Promise<void> {
  const target = some(
    world.devices.filter(({ user_ids }) => user_ids.length > 0),
    random,
  );
  if (target === undefined) return;
  const userIds = target.user_ids;
  await world.assign(target, subset(userIds.slice(1), random), () => world.write([target]));
  await Bun.sleep(random() * 20);
  await change(world, target, { imei: someImei(random) });
  await world.assign(target, userIds, () => world.write([target]));
}

async function removeAndRestoreFence({ world, random }: Scene): Promise<void> {
  const { id } = some(world.fences, random);
  const { database } = world.store;
  const accountId = await accountNumber(database);
  const request = async () => {
    const { revision = 1 } = (await revisionsOf(database, accountId, "geofence", [id])).get(id) ?? {};
    return { accountId, id, revision, by: command, isPreview: false };
  };
  await removeGeofence(database, await request(), Date.now());
  await Bun.sleep(random() * 20);
  await restoreGeofence(database, await request(), Date.now());
  await database.transaction((tx) => tx.run(sql`delete from record_revisions where id = ${id}`));
}

async function assignByFile({ world, random }: Scene): Promise<void> {
  const target = some(world.devices, random);
  await world.assign(target, subset([annId, bobId], random), () => world.write([target]));
}

/** Says for one user which devices it sees; the model says for each device who sees it. */
async function assignInPortal({ world, random, olga }: Scene): Promise<void> {
  const userId = some([annId, bobId], random);
  const wanted = new Set(subset(world.devices, random));
  const send = async () => {
    const [begins, ends] = [true, false].map((isWanted) =>
      world.devices.filter((target) => wanted.has(target) === isWanted).map(({ id }) => id),
    );
    expect(await olga.send("PUT", `/fleet/users/${userId}/vehicles`, { begins, ends })).toBe(200);
  };
  const assignAll = world.devices.reduce(
    (inner: () => Promise<void>, target: LoadedDevice) => () => {
      const others = target.user_ids.filter((id) => id !== userId);
      return world.assign(target, wanted.has(target) ? [...others, userId] : others, inner);
    },
    send,
  );
  await assignAll();
}

async function moveFence({ world, random }: Scene): Promise<void> {
  const target = some(world.fences, random);
  const number = Number(target.id.slice(-12));
  const { geometry, radius_m } = { ...fence(number, 200 + random() * 4_000, [], (random() - 0.5) * 0.05) } as Record<
    string,
    unknown
  >;
  await change(world, target, { geometry, radius_m, valid_from: someValidFrom(random) });
}

async function changeFenceDevices({ world, random }: Scene): Promise<void> {
  const device_ids = subset(world.devices, random).map(({ id }) => id);
  await change(world, some(world.fences, random), { device_ids, valid_from: someValidFrom(random) });
}

/** From a moment of the past, or from now on. */
function someValidFrom(random: () => number): string | null {
  return random() < 0.5 ? null : new Date(someMoment(random)).toISOString();
}

async function addFence({ world, random }: Scene): Promise<void> {
  const ids = subset(world.devices, random).map(({ id }) => id);
  const added = fence(2_000 + world.fences.length, 500 + random() * 2_000, ids, (random() - 0.5) * 0.05);
  world.fences.push(added);
  await world.write([added]);
}

/** Bob, whom followers follow, or Carl. */
async function disableOrEnable({ world, random }: Scene): Promise<void> {
  const target = some([world.users[2], world.users[3]], random);
  if (target === undefined) return;
  const isDisabled = target.status === "disabled";
  if (!isDisabled) world.disabled(target.id);
  await change(world, target, { status: isDisabled ? "active" : "disabled" });
  if (isDisabled) world.enabled(target.id);
}

async function addUser({ world }: Scene): Promise<void> {
  const added = user(3_000 + world.users.length);
  world.users.push(added);
  await world.write([added]);
}

async function signIn({ nodes, random }: Scene): Promise<void> {
  await PortalUser.signIn(nodes, some(["ann@acme.test", "dora@acme.test"], random));
}

/** May be gone by now, or acknowledged already. */
function someAlertId({ owner, random }: Scene): string | null {
  const alerts = owner.copy.rows("alert").filter(({ acknowledged }) => !acknowledged);
  return alerts.length === 0 ? null : some(alerts, random).alert_id;
}

async function acknowledge(scene: Scene): Promise<void> {
  const id = someAlertId(scene);
  if (id === null) return;
  await scene.world.store.database.transaction(async (tx) => {
    const found = await activeUser(tx, "ann@acme.test");
    const visibility = visibilityOf({ accountId: found.account_id, id: found.id, role: found.role });
    await acknowledgeAlerts(tx, visibility, [id], Date.now());
  });
}

async function acknowledgeInPortal(scene: Scene): Promise<void> {
  const id = someAlertId(scene);
  if (id !== null) expect([200, 404]).toContain(await scene.olga.send("POST", `/alerts/${id}/acknowledge`, {}));
}

async function changeSettings({ world, random }: Scene): Promise<void> {
  const fenceIds = subset(world.fences, random).map(({ id }) => id);
  const rules = settings(some(world.devices, random).id, 20 + Math.floor(random() * 60), fenceIds);
  await world.write([{ ...rules, valid_from: someValidFrom(random) }]);
}

function changeTagRules(scene: Scene): Promise<void> {
  return changeSharedRules(scene, { tag: some(["cold", "fast", "night"], scene.random) });
}

function changeRulesForAll(scene: Scene): Promise<void> {
  return changeSharedRules(scene, {});
}

/** Some of the rules that vehicles have of their own. */
async function changeSharedRules({ world, random }: Scene, scope: { tag?: string }): Promise<void> {
  const fenceIds = subset(world.fences, random).map(({ id }) => id);
  const { rules } = settings("", 20 + Math.floor(random() * 60), fenceIds) as { rules: FleetRecord[] };
  const fields = { account_id: world.account.id, ...scope, rules: subset(rules, random) };
  await world.write([{ type: "alert_settings", ...fields, valid_from: someValidFrom(random) }]);
}

/** What the servers do so many days from now. */
function tidy({ store }: World, days: number): Promise<void> {
  return tidyChanges(store.database, Date.now() + days * dayMs, new AbortController().signal);
}

async function forgetRemovals({ world }: Scene): Promise<void> {
  world.hasForgotten = true;
  await tidy(world, 32);
}

async function changeTimeZone({ world, random }: Scene): Promise<void> {
  await change(world, world.account, { time_zone: some(["UTC", "Europe/Berlin", "America/New_York"], random) });
}
