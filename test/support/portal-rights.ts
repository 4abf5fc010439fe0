import type { RouteName } from "../../src/portal/both-sides/contract/contract.ts";
import { type RevisedType, revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { type Browser, type PortalWorld, password } from "./portal.ts";
import { newChoice, newKeptMail, newPlan } from "./portal-rights-rows.ts";

/** What a caller asks for: with ids of the first account that exist, so that only rights can refuse it. */
export interface PortalCall {
  /** Below /portal/api. */
  readonly path: string;
  readonly body?: unknown;
}

interface RightsWorld extends PortalWorld {
  /** The owner of the first account, who has signed in. */
  readonly olga: Browser;
}

export type Caller = "owner" | "subAccount" | "otherOwner" | "nobody" | "disabled" | "visitor" | "recipient";

/**
 * The answer to each. `nobody` is not signed in; `disabled` has a session from before; a `visitor` has a share link, a
 * `recipient` the link in a mail that ends such mails.
 */
type Answers = Readonly<Record<Caller, number>>;
/** A share link opens what it shows, and nothing else: elsewhere a visitor is nobody. So is a recipient everywhere here. */
type AnswersOfUsers = Omit<Answers, "visitor" | "recipient"> & { readonly visitor?: number };

/** What a route needs to be asked for, besides its path. */
interface Wanted {
  /** Stands for the parameter of the path. */
  readonly id?: (world: RightsWorld) => Promise<string> | string;
  readonly query?: string;
  readonly body?: object | ((world: RightsWorld, id: string, who: Caller) => Promise<object> | object);
}

export interface RightsRow extends Answers {
  ask(world: RightsWorld, who: Caller): Promise<PortalCall>;
}

type Rights = readonly [answers: AnswersOfUsers, wanted: Wanted];

/** All who are signed in get the same: what is their own. */
function everybodys(status: number, wanted: Wanted = {}): Rights {
  return [{ owner: status, subAccount: status, otherOwner: status, nobody: 401, disabled: 401 }, wanted];
}

/** Everybody gets the same, also without having signed in. */
function open(status: number, body?: object): Rights {
  const answers = { owner: status, subAccount: status, otherOwner: status, nobody: status, disabled: status };
  return [answers, body ? { body } : {}];
}

/** What a share link shows to all who have it. */
function shared(wanted: Wanted = {}): Rights {
  return [{ ...open(404)[0], visitor: 200 }, wanted];
}

/** A record that only the owner of its account may touch; it is not there for a sub-account and for others. */
function oneOfOwners(status: number, wanted: Wanted): Rights {
  return [{ ...everybodys(status)[0], subAccount: 404, otherOwner: 404 }, wanted];
}

/** What belongs to an account: another owner gets their own. */
function ofAccount(status: number, body?: Wanted["body"]): Rights {
  return [{ ...everybodys(status)[0], subAccount: 403 }, body ? { body } : {}];
}

/** A record of an account: its owner's business alone. */
function inAccount(status: number, wanted: Wanted): Rights {
  return [{ ...everybodys(status)[0], subAccount: 403, otherOwner: 404 }, wanted];
}

async function revisionOf(
  { store, accounts }: RightsWorld,
  type: RevisedType,
  id: string,
  { account_id } = accounts.acme,
): Promise<number> {
  return (await revisionsOf(store.database, account_id, type, [id])).get(id)?.revision ?? 1;
}

let count = 0;
const next = () => ++count;

async function newKey({ olga }: RightsWorld): Promise<string> {
  return (await olga.post("/keys", { name: "Mine", scopes: ["devices:read"] })).body.data.key_id;
}

async function newExpectedTracker({ olga }: RightsWorld): Promise<string> {
  return (await olga.post("/fleet/expected-trackers", { tracker: "356307042441013" })).body.data.expected_id;
}

async function newShare({ olga, devices }: RightsWorld): Promise<string> {
  return (await olga.post("/shares", shareBody(devices.car.id))).body.data.share_id;
}

function shareBody(device: string): object {
  return { name: "Delivery", device_ids: [device], until: new Date(Date.now() + 20 * 86_400_000).toISOString() };
}

async function newToken({ olga }: RightsWorld): Promise<string> {
  return (await olga.post("/fleet/tokens", { name: "Mine" })).body.data.token_id;
}

const planBody = { name: "Trips", report: "trips", cadence: "week" };

async function newDevice({ olga }: RightsWorld): Promise<string> {
  const fields = { imei: String(490_000_000_000_000 + next()), name: "One more" };
  return (await olga.post("/fleet/devices", { fields })).body.data.device_id;
}

async function newUser({ olga }: RightsWorld): Promise<string> {
  const fields = { name: "One more", email: `more${next()}@acme.example`, device_ids: [] };
  return (await olga.post("/fleet/users", { fields })).body.data.user_id;
}

async function newDriver({ olga }: RightsWorld): Promise<string> {
  const fields = { name: "One more", driver_ids: [`tag ${next()}`] };
  return (await olga.post("/fleet/drivers", { fields })).body.data.id;
}

const circle = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 100 };

async function newFence({ olga }: RightsWorld): Promise<string> {
  const fields = { name: "One more", ...circle, device_ids: [] };
  return (await olga.post("/fleet/geofences", { fields })).body.data.geofence_id;
}

type Removable = "device" | "user" | "geofence";
const made = { device: newDevice, user: newUser, geofence: newFence };

async function removalBody(world: RightsWorld, type: Removable, id: string): Promise<object> {
  return { revision: await revisionOf(world, type, id), ...(type !== "geofence" && { history: "keep" }) };
}

/** The removal of a record that was made for it. */
const removal = (type: Removable): Wanted => ({
  id: made[type],
  body: (world, id) => removalBody(world, type, id),
});

/** The id of one that was removed. */
const removed = (type: Removable) => async (world: RightsWorld) => {
  const id = await made[type](world);
  await world.olga.post(`/fleet/${type}s/${id}/remove`, await removalBody(world, type, id));
  return id;
};

/** A change of a record, by its present revision. */
const edit = (type: RevisedType, id: NonNullable<Wanted["id"]>, fields: object): Wanted => ({
  id,
  body: async (world, id) => ({ revision: await revisionOf(world, type, id), fields }),
});

/** Not one that a sub-account sees. */
function unseenAlert({ rows, devices }: RightsWorld): string {
  return rows.alerts.findLast(({ device_id }) => device_id === devices.car.id)?.id ?? "";
}

function acknowledgedAlert({ rows, devices }: RightsWorld): string {
  const of = rows.alerts.find(({ device_id, acknowledged_at }) => device_id === devices.car.id && acknowledged_at);
  return of?.id ?? "";
}

const carId = ({ devices }: RightsWorld) => devices.car.id;
const annaId = ({ users }: RightsWorld) => users.anna.id;
const june15 = "from=2026-06-15";
const email = "olga@acme.example";
/** One that was never made. What true ones do is tested where they are made. */
const token = "A".repeat(43);
/** Nobody else may have an IMEI: each who asks for one is given another. */
const newImei = () => String(491_000_000_000_000 + next());
const setup = { account_name: "Mine", time_zone: "UTC", name: "Mallory", email: "mallory@evil.example", password };

/** Every route of the portal, by its method and path. */
/** The compiler finds what the contract has and this table lacks, and the other way round. */
const table: Readonly<Record<RouteName, Rights>> = {
  "GET /session": everybodys(200),
  "POST /session": open(200, { email, password }),
  "DELETE /session": open(204),
  "POST /password": everybodys(204, { body: { current_password: password, new_password: "another password" } }),
  "PUT /preferences": everybodys(200, { body: { language: "de" } }),
  "PUT /account/preferences": ofAccount(200, { clock: "12" }),
  "GET /keys": everybodys(200),
  "POST /keys": everybodys(201, { body: { name: "TMS", scopes: ["devices:read"] } }),
  "POST /keys/{key_id}/rotate": oneOfOwners(201, { id: newKey, body: { overlap_hours: 1 } }),
  "POST /keys/{key_id}/revoke": oneOfOwners(200, { id: newKey }),
  "GET /shares": everybodys(200),
  "POST /shares": oneOfOwners(201, { body: ({ devices }) => shareBody(devices.car.id) }),
  "POST /shares/{share_id}/revoke": oneOfOwners(200, { id: newShare }),
  "GET /share": shared(),
  "GET /share/track": shared({ query: "vehicle=0" }),
  "GET /usage": everybodys(200),
  "GET /data/*": oneOfOwners(200, { id: (world) => `devices/${carId(world)}` }),
  "GET /live-positions": everybodys(200),
  "GET /fleet-days": everybodys(200, { query: `${june15}&to=2026-06-15` }),
  "GET /driver-sums": everybodys(200, { query: `${june15}&to=2026-06-15` }),
  "GET /places": everybodys(200, { query: "at=52.5,13.4" }),
  "GET /download/{list}": everybodys(200, { id: () => "trips", query: `${june15}&to=2026-06-16` }),
  "POST /alerts/{alert_id}/acknowledge": oneOfOwners(200, { id: unseenAlert }),
  // Alerts out of sight are passed over.
  "POST /alerts/acknowledge": everybodys(200, { body: (world) => ({ alert_ids: [unseenAlert(world)] }) }),
  "GET /alerts/{alert_id}/acknowledgement": oneOfOwners(200, { id: acknowledgedAlert }),
  "POST /alerts/acknowledge-day": everybodys(200, {
    body: { alert_type: "sos", severity: "critical", day: "2026-06-15", device_ids: null },
  }),
  "GET /alerts/counts": everybodys(200),
  "POST /alerts/seen": everybodys(204),

  "GET /notifications": everybodys(200),
  // There is no mail in these tests.
  "POST /notifications": everybodys(409, { body: { pacing: "hour" } }),
  "PUT /notifications/{notification_id}": oneOfOwners(200, { id: newChoice, body: { pacing: "day" } }),
  "DELETE /notifications/{notification_id}": oneOfOwners(204, { id: newChoice }),
  "POST /notifications/test-mail": everybodys(409),

  "GET /planned-reports": everybodys(200),
  // There is no mail in these tests.
  "POST /planned-reports": everybodys(409, { body: planBody }),
  "PUT /planned-reports/{planned_report_id}": oneOfOwners(200, { id: newPlan, body: planBody }),
  "DELETE /planned-reports/{planned_report_id}": oneOfOwners(204, { id: newPlan }),
  "POST /planned-reports/{planned_report_id}/run": oneOfOwners(409, { id: newPlan }),
  "PUT /planned-reports/{planned_report_id}/receipt": oneOfOwners(204, { id: newPlan, body: { is_stopped: true } }),

  "GET /users": everybodys(200),
  "GET /sessions": everybodys(200),
  "DELETE /sessions/{session_id}": oneOfOwners(204, {
    id: async ({ olga, signIn, users }) => {
      await signIn(users.olga.email);
      const { data } = (await olga.get("/sessions")).body;
      return data.find(({ is_current }: { is_current: boolean }) => !is_current).session_id;
    },
  }),
  "POST /sessions/end-others": everybodys(200, { body: {} }),
  "GET /sign-in": open(200),
  "POST /link": open(404, { token }),
  "POST /link/use": open(404, { token, new_password: password }),
  "POST /link/confirm": open(404, { token }),
  // There is no mail in these tests.
  "POST /email/confirmation": everybodys(409, { body: {} }),
  "POST /setup/link": open(404, { token }),
  "POST /setup": open(404, { token, ...setup }),
  // Not configured in these tests.
  "POST /password/forgotten": open(404, { email }),
  "POST /openid/begin": open(404, {}),
  "POST /openid/finish": open(404, { parameters: "code=1&state=2" }),

  "GET /fleet/account": ofAccount(200),
  "PUT /fleet/account": ofAccount(200, async (world, _id, who) => {
    const { acme, polar } = world.accounts;
    const own = who === "otherOwner" ? polar : acme;
    const revision = await revisionOf(world, "account", own.id, own);
    return { revision, fields: { name: `Named ${next()} times` } };
  }),
  "GET /fleet/log": ofAccount(200),
  "GET /fleet/log/people": ofAccount(200),
  "GET /fleet/log/download": ofAccount(200),
  // With several accounts, no owner sets up the streets of all: test/portal/streets-upload.test.ts has the other cases.
  "GET /fleet/streets": ofAccount(200),
  "POST /fleet/streets/uploads": everybodys(403, { body: { file_name: "region.pmtiles", bytes: 1000 } }),
  "PUT /fleet/streets/uploads/{upload_id}": everybodys(403, { id: () => crypto.randomUUID(), query: "at=0" }),
  "POST /fleet/streets/uploads/{upload_id}/finish": everybodys(403, { id: () => crypto.randomUUID() }),
  "DELETE /fleet/streets/uploads/{upload_id}": everybodys(403, { id: () => crypto.randomUUID() }),
  "DELETE /fleet/streets/archives/{name}": everybodys(403, { id: () => "region.pmtiles" }),

  "GET /fleet/tokens": ofAccount(200),
  "POST /fleet/tokens": ofAccount(201, { name: "Gateway" }),
  "POST /fleet/tokens/{token_id}/revoke": inAccount(200, { id: newToken }),

  "GET /fleet/devices": ofAccount(200),
  "POST /fleet/devices": ofAccount(201, () => ({ fields: { imei: newImei(), name: "New" } })),
  "PUT /fleet/devices/{device_id}": inAccount(200, edit("device", carId, { plate: "AC-ME 903" })),
  "POST /fleet/devices/change": inAccount(200, {
    body: async (world) => ({
      devices: [{ device_id: carId(world), revision: await revisionOf(world, "device", carId(world)) }],
      add_tags: ["changed"],
    }),
  }),
  "POST /fleet/devices/import": ofAccount(201, () => ({ csv: `IMEI,Name\n${newImei()},Imported` })),
  "GET /fleet/unknown-devices": ofAccount(200),
  "GET /fleet/expected-trackers": ofAccount(200),
  "POST /fleet/expected-trackers": ofAccount(201, { tracker: "013812345678" }),
  "DELETE /fleet/expected-trackers/{expected_id}": inAccount(200, { id: newExpectedTracker }),
  "GET /fleet/tracker-address": ofAccount(200),
  "POST /fleet/devices/{device_id}/tracker-messages": inAccount(200, { id: carId }),
  // JSON is no track.
  "PUT /tracks/{device_id}": inAccount(400, { id: carId, body: {} }),
  "GET /tracker-faults": everybodys(200),
  "POST /fleet/devices/{device_id}/remove": inAccount(200, removal("device")),
  "GET /fleet/removed-devices": ofAccount(200),
  "POST /fleet/removed-devices/{device_id}/restore": inAccount(200, { id: removed("device"), body: {} }),
  "POST /fleet/removed-devices/{device_id}/erase": inAccount(202, { id: removed("device"), body: {} }),

  "GET /fleet/users": ofAccount(200),
  "POST /fleet/users": ofAccount(201, () => ({
    fields: { name: "New", email: `new${next()}@new.example`, device_ids: [] },
  })),
  "PUT /fleet/users/{user_id}": inAccount(200, edit("user", annaId, { name: "Anna Ahlberg II" })),
  "PUT /fleet/users/{user_id}/vehicles": inAccount(200, {
    id: annaId,
    body: ({ devices }) => ({ begins: [devices.van.id], ends: [] }),
  }),
  "POST /fleet/users/{user_id}/link": inAccount(201, { id: annaId, body: {} }),
  "POST /fleet/users/{user_id}/end-sessions": inAccount(200, { id: annaId, body: {} }),
  "POST /fleet/users/{user_id}/remove": inAccount(200, removal("user")),
  "GET /fleet/removed-users": ofAccount(200),
  "POST /fleet/removed-users/{user_id}/erase": inAccount(200, { id: removed("user"), body: {} }),

  "GET /kept-mails": ofAccount(200),
  "GET /kept-mails/{mail_id}/page": inAccount(200, { id: newKeptMail }),
  // The server has two accounts, so none is made.
  "GET /demo-account": ofAccount(200),
  "POST /demo-account": ofAccount(409, {}),
  "DELETE /demo-account": ofAccount(404),
  "POST /demo-account/enter": ofAccount(404, {}),
  // Nobody came from another account.
  "POST /demo-account/leave": everybodys(404, { body: {} }),

  "GET /fleet/drivers": ofAccount(200),
  "POST /fleet/drivers": ofAccount(201, () => ({ fields: { name: "New", driver_ids: [`tag ${next()}`] } })),
  "PUT /fleet/drivers/{driver_id}": inAccount(200, edit("driver", newDriver, { name: "Another" })),
  "POST /fleet/drivers/{driver_id}/erase": inAccount(200, {
    id: newDriver,
    body: async (world, id) => ({ revision: await revisionOf(world, "driver", id) }),
  }),

  "GET /fleet/geofences": ofAccount(200),
  "POST /fleet/geofences": ofAccount(201, { fields: { name: "New", ...circle, device_ids: [] } }),
  "GET /fleet/geofences/{geofence_id}": inAccount(200, { id: ({ fences }) => fences.nobodys.id }),
  "PUT /fleet/geofences/{geofence_id}": inAccount(200, edit("geofence", newFence, { name: "Another" })),
  "POST /fleet/geofences/{geofence_id}/remove": inAccount(200, removal("geofence")),
  "POST /fleet/geofences/{geofence_id}/restore": inAccount(200, {
    id: removed("geofence"),
    body: async (world, id) => ({ revision: await revisionOf(world, "geofence", id) }),
  }),

  "GET /fleet/rules": ofAccount(200),
  "GET /fleet/rules/{id}": inAccount(200, { id: carId }),
  "PUT /fleet/rules/{id}": inAccount(
    200,
    edit("alert_settings", carId, { rules: [{ alert_type: "speeding", parameters: { limit_kmh: 70 } }] }),
  ),
  // No vehicle has rules of its own of this type, in either account.
  "POST /fleet/rules/{id}/replace-own": [
    ofAccount(200)[0],
    { id: () => "all", body: { alert_type: "jamming", vehicles: 0 } },
  ],
};

export const rightsTable: Readonly<Record<string, RightsRow>> = Object.fromEntries(
  Object.entries(table).map(([name, [answers, { id, query, body }]]) => {
    const ask: RightsRow["ask"] = async (world, who) => {
      const idOf = (await id?.(world)) ?? "";
      const path = name.slice(name.indexOf("/")).replace(/\{\w+\}|\*/, idOf) + (query ? `?${query}` : "");
      return { path, body: typeof body === "function" ? await body(world, idOf, who) : body };
    };
    return [name, { visitor: answers.nobody, recipient: answers.nobody, ...answers, ask }];
  }),
);
