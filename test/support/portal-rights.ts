import { type RevisedType, revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import type { Browser, PortalWorld } from "./portal.ts";
import { password } from "./portal.ts";

/** What somebody asks for: with ids of the first account that exist, so that only rights can refuse it. */
export interface Asked {
  /** Below /portal/api. */
  readonly path: string;
  readonly body?: unknown;
}

interface RightsWorld extends PortalWorld {
  /** The owner of the first account, who has signed in. */
  readonly olga: Browser;
}

export type Somebody = "owner" | "subAccount" | "otherOwner" | "nobody" | "disabled";

/** The answer to each. `nobody` is not signed in; `disabled` has a session from before. */
export interface RightsRow {
  readonly ask: (world: RightsWorld, who: Somebody) => Promise<Asked> | Asked;
  readonly owner: number;
  readonly subAccount: number;
  /** The owner of another account. */
  readonly otherOwner: number;
  readonly nobody: number;
  readonly disabled: number;
}

type Ask = RightsRow["ask"] | string;

const signedOut = { nobody: 401, disabled: 401 };

/** Whoever is signed in gets the same: what is their own. */
function everybodys(status: number, ask: Ask): RightsRow {
  return { ask: asking(ask), owner: status, subAccount: status, otherOwner: status, ...signedOut };
}

/** Everybody gets the same, also without having signed in. */
function open(status: number, ask: Ask): RightsRow {
  return { ...everybodys(status, ask), nobody: status, disabled: status };
}

/** A record that only the owner of its account may touch; it is not there for a sub-account and for others. */
function oneOfOwners(status: number, ask: Ask): RightsRow {
  return { ...everybodys(status, ask), subAccount: 404, otherOwner: 404 };
}

/** What belongs to an account: another owner gets their own. */
function ofAccount(status: number, ask: Ask): RightsRow {
  return { ...everybodys(status, ask), subAccount: 403 };
}

/** A record of an account: its owner's business alone. */
function inAccount(status: number, ask: Ask): RightsRow {
  return { ...everybodys(status, ask), subAccount: 403, otherOwner: 404 };
}

function asking(ask: Ask): RightsRow["ask"] {
  return typeof ask === "string" ? () => ({ path: ask }) : ask;
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

async function newToken({ olga }: RightsWorld): Promise<string> {
  return (await olga.post("/fleet/tokens", { name: "Mine" })).body.data.token_id;
}

async function newDevice({ olga }: RightsWorld): Promise<string> {
  const fields = { imei: String(490_000_000_000_000 + next()), name: "One more" };
  return (await olga.post("/fleet/devices", { fields })).body.data.device_id;
}

async function newUser({ olga }: RightsWorld): Promise<string> {
  const fields = { name: "One more", email: `more${next()}@acme.example`, device_ids: [] };
  return (await olga.post("/fleet/users", { fields })).body.data.user_id;
}

const circle = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 100 };

async function newFence({ olga }: RightsWorld): Promise<string> {
  const fields = { name: "One more", ...circle, device_ids: [] };
  return (await olga.post("/fleet/geofences", { fields })).body.data.geofence_id;
}

type Removable = "device" | "user" | "geofence";
const made = { device: newDevice, user: newUser, geofence: newFence };

/** The removal of a record that was made for it. */
async function removal(world: RightsWorld, type: Removable): Promise<Asked & { readonly id: string }> {
  const id = await made[type](world);
  const revision = await revisionOf(world, type, id);
  return {
    id,
    path: `/fleet/${type}s/${id}/remove`,
    body: { revision, ...(type !== "geofence" && { history: "keep" }) },
  };
}

/** The id of one that was removed. */
async function removed(world: RightsWorld, type: Removable): Promise<string> {
  const { id, path, body } = await removal(world, type);
  await world.olga.post(path, body);
  return id;
}

/** A change of a record, by its present revision. */
async function edit(world: RightsWorld, type: RevisedType, path: string, fields: object): Promise<Asked> {
  const id = path.split("/").at(-1) ?? "";
  return { path, body: { revision: await revisionOf(world, type, id), fields } };
}

/** Not one that a sub-account sees. */
function unseenAlert({ rows, devices }: RightsWorld): string {
  return rows.alerts.findLast(({ device_id }) => device_id === devices.car.id)?.id ?? "";
}

function acknowledgedAlert({ rows, devices }: RightsWorld): string {
  const of = rows.alerts.find(({ device_id, acknowledged_at }) => device_id === devices.car.id && acknowledged_at);
  return of?.id ?? "";
}

/** Every route of the portal, by its method and path. */
export const rightsTable: Readonly<Record<string, RightsRow>> = {
  "GET /session": everybodys(200, "/session"),
  "POST /session": open(200, () => ({ path: "/session", body: { email: "olga@acme.example", password } })),
  "DELETE /session": open(204, "/session"),
  "POST /password": everybodys(204, () => ({
    path: "/password",
    body: { current_password: password, new_password: "another password" },
  })),
  "PUT /preferences": everybodys(200, () => ({ path: "/preferences", body: { language: "de" } })),
  "PUT /account/preferences": ofAccount(200, () => ({ path: "/account/preferences", body: { clock: "12" } })),
  "GET /keys": everybodys(200, "/keys"),
  "POST /keys": everybodys(201, () => ({ path: "/keys", body: { name: "TMS", scopes: ["devices:read"] } })),
  "POST /keys/{key_id}/rotate": oneOfOwners(201, async (world) => ({
    path: `/keys/${await newKey(world)}/rotate`,
    body: { overlap_hours: 1 },
  })),
  "POST /keys/{key_id}/revoke": oneOfOwners(200, async (world) => ({ path: `/keys/${await newKey(world)}/revoke` })),
  "GET /scopes": everybodys(200, "/scopes"),
  "GET /usage": everybodys(200, "/usage"),
  "GET /data/*": oneOfOwners(200, ({ devices }) => ({ path: `/data/devices/${devices.car.id}` })),
  "GET /fleet-days": everybodys(200, "/fleet-days?from=2026-06-15&to=2026-06-15"),
  "GET /place": everybodys(200, "/place?lat=52.5&lon=13.4"),
  "GET /download/{list}": everybodys(200, "/download/trips?from=2026-06-15&to=2026-06-16"),
  "POST /alerts/{alert_id}/acknowledge": oneOfOwners(200, (world) => ({
    path: `/alerts/${unseenAlert(world)}/acknowledge`,
  })),
  // Alerts out of sight are passed over.
  "POST /alerts/acknowledge": everybodys(200, (world) => ({
    path: "/alerts/acknowledge",
    body: { alert_ids: [unseenAlert(world)] },
  })),
  "GET /alerts/{alert_id}/acknowledgement": oneOfOwners(200, (world) => ({
    path: `/alerts/${acknowledgedAlert(world)}/acknowledgement`,
  })),
  "GET /alerts/counts": everybodys(200, "/alerts/counts"),

  "GET /users": everybodys(200, "/users"),
  "GET /sessions": everybodys(200, "/sessions"),
  "DELETE /sessions/{session_id}": oneOfOwners(204, async ({ olga, signIn, users }) => {
    await signIn(users.olga.email);
    const { data } = (await olga.get("/sessions")).body;
    const other = data.find(({ is_current }: { is_current: boolean }) => !is_current);
    return { path: `/sessions/${other.session_id}` };
  }),
  "POST /sessions/end-others": everybodys(200, () => ({ path: "/sessions/end-others", body: {} })),
  "GET /sign-in": open(200, "/sign-in"),
  // Tokens that were never made. What true ones do is tested where they are made.
  "POST /link": open(404, () => ({ path: "/link", body: { token: "A".repeat(43) } })),
  "POST /link/use": open(404, () => ({ path: "/link/use", body: { token: "A".repeat(43), new_password: password } })),
  "POST /setup/link": open(404, () => ({ path: "/setup/link", body: { token: "A".repeat(43) } })),
  "POST /setup": open(404, () => ({
    path: "/setup",
    body: {
      token: "A".repeat(43),
      account_name: "Mine",
      time_zone: "UTC",
      name: "Mallory",
      email: "mallory@evil.example",
      password,
    },
  })),
  // Not configured in these tests.
  "POST /password/forgotten": open(404, () => ({
    path: "/password/forgotten",
    body: { email: "olga@acme.example" },
  })),
  "POST /openid/begin": open(404, () => ({ path: "/openid/begin", body: {} })),
  "POST /openid/finish": open(404, () => ({ path: "/openid/finish", body: { parameters: "code=1&state=2" } })),

  "GET /fleet/account": ofAccount(200, "/fleet/account"),
  "PUT /fleet/account": ofAccount(200, async (world, who) => {
    const { acme, polar } = world.accounts;
    const own = who === "otherOwner" ? polar : acme;
    const revision = await revisionOf(world, "account", own.id, own);
    return { path: "/fleet/account", body: { revision, fields: { name: `Named ${next()} times` } } };
  }),
  "GET /fleet/log": ofAccount(200, "/fleet/log"),
  "GET /fleet/log/people": ofAccount(200, "/fleet/log/people"),
  "GET /fleet/log/download": ofAccount(200, "/fleet/log/download"),
  "GET /fleet/tokens": ofAccount(200, "/fleet/tokens"),
  "POST /fleet/tokens": ofAccount(201, () => ({ path: "/fleet/tokens", body: { name: "Gateway" } })),
  "POST /fleet/tokens/{token_id}/revoke": inAccount(200, async (world) => ({
    path: `/fleet/tokens/${await newToken(world)}/revoke`,
  })),

  "GET /fleet/devices": ofAccount(200, "/fleet/devices"),
  "POST /fleet/devices": ofAccount(201, () => {
    // Nobody else may have the IMEI: each who asks for it is given another.
    const fields = { imei: String(491_000_000_000_000 + next()), name: "New" };
    return { path: "/fleet/devices", body: { fields } };
  }),
  "PUT /fleet/devices/{device_id}": inAccount(200, (world) =>
    edit(world, "device", `/fleet/devices/${world.devices.car.id}`, { plate: "AC-ME 903" }),
  ),
  "POST /fleet/devices/change": inAccount(200, async (world) => ({
    path: "/fleet/devices/change",
    body: {
      devices: [{ device_id: world.devices.car.id, revision: await revisionOf(world, "device", world.devices.car.id) }],
      add_tags: ["changed"],
    },
  })),
  "POST /fleet/devices/import": ofAccount(201, () => {
    const imei = String(491_000_000_000_000 + next());
    return { path: "/fleet/devices/import", body: { csv: `IMEI,Name\n${imei},Imported` } };
  }),
  "GET /fleet/unknown-devices": ofAccount(200, "/fleet/unknown-devices"),
  "GET /tracker-faults": everybodys(200, "/tracker-faults"),
  "POST /fleet/devices/{device_id}/remove": inAccount(200, (world) => removal(world, "device")),
  "GET /fleet/removed-devices": ofAccount(200, "/fleet/removed-devices"),
  "POST /fleet/removed-devices/{device_id}/restore": inAccount(200, async (world) => ({
    path: `/fleet/removed-devices/${await removed(world, "device")}/restore`,
    body: {},
  })),
  "POST /fleet/removed-devices/{device_id}/erase": inAccount(202, async (world) => ({
    path: `/fleet/removed-devices/${await removed(world, "device")}/erase`,
    body: {},
  })),

  "GET /fleet/users": ofAccount(200, "/fleet/users"),
  "POST /fleet/users": ofAccount(201, () => ({
    path: "/fleet/users",
    body: { fields: { name: "New", email: `new${next()}@new.example`, device_ids: [] } },
  })),
  "PUT /fleet/users/{user_id}": inAccount(200, (world) =>
    edit(world, "user", `/fleet/users/${world.users.anna.id}`, { name: "Anna Ahlberg II" }),
  ),
  "PUT /fleet/users/{user_id}/vehicles": inAccount(200, ({ users, devices }) => ({
    path: `/fleet/users/${users.anna.id}/vehicles`,
    body: { begins: [devices.van.id], ends: [] },
  })),
  "POST /fleet/users/{user_id}/link": inAccount(201, ({ users }) => ({
    path: `/fleet/users/${users.anna.id}/link`,
    body: {},
  })),
  "POST /fleet/users/{user_id}/end-sessions": inAccount(200, ({ users }) => ({
    path: `/fleet/users/${users.anna.id}/end-sessions`,
    body: {},
  })),
  "POST /fleet/users/{user_id}/remove": inAccount(200, (world) => removal(world, "user")),
  "GET /fleet/removed-users": ofAccount(200, "/fleet/removed-users"),
  "POST /fleet/removed-users/{user_id}/erase": inAccount(200, async (world) => ({
    path: `/fleet/removed-users/${await removed(world, "user")}/erase`,
    body: {},
  })),

  "GET /fleet/geofences": ofAccount(200, "/fleet/geofences"),
  "POST /fleet/geofences": ofAccount(201, () => ({
    path: "/fleet/geofences",
    body: { fields: { name: "New", ...circle, device_ids: [] } },
  })),
  "GET /fleet/geofences/{geofence_id}": inAccount(200, ({ fences }) => ({
    path: `/fleet/geofences/${fences.nobodys.id}`,
  })),
  "PUT /fleet/geofences/{geofence_id}": inAccount(200, async (world) =>
    edit(world, "geofence", `/fleet/geofences/${await newFence(world)}`, { name: "Another" }),
  ),
  "POST /fleet/geofences/{geofence_id}/remove": inAccount(200, (world) => removal(world, "geofence")),
  "POST /fleet/geofences/{geofence_id}/restore": inAccount(200, async (world) => {
    const id = await removed(world, "geofence");
    return { path: `/fleet/geofences/${id}/restore`, body: { revision: await revisionOf(world, "geofence", id) } };
  }),

  "GET /fleet/rules": ofAccount(200, "/fleet/rules"),
  "GET /fleet/rules/{id}": inAccount(200, ({ devices }) => ({ path: `/fleet/rules/${devices.car.id}` })),
  "PUT /fleet/rules/{id}": inAccount(200, (world) => {
    const rules = [{ alert_type: "speeding", parameters: { limit_kmh: 70 } }];
    return edit(world, "alert_settings", `/fleet/rules/${world.devices.car.id}`, { rules });
  }),
};
