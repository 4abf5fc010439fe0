import { withoutFences } from "../../domain/alerts/set-rules.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { Reader } from "../../store/database.ts";
import { accountByInternalId, type StoredAccount } from "../../store/fleet/accounts.ts";
import { alertSettingsVersions } from "../../store/fleet/alert-settings.ts";
import { subAccountsOfDevices } from "../../store/fleet/assignments.ts";
import { directoryById, type FleetDeviceRow, fleetDevicesOfAccount } from "../../store/fleet/device-writes.ts";
import { driverIdsIn, driversOfAccount } from "../../store/fleet/drivers.ts";
import { removedGeofenceIds } from "../../store/fleet/geofence-list.ts";
import { geofenceMembers, geofencesOfAccount, geofenceVersions } from "../../store/fleet/geofence-writes.ts";
import { type DeviceTagRow, deviceTagVersions, forAll, ruleVersions } from "../../store/fleet/rule-versions.ts";
import { usersOfAccount } from "../../store/fleet/users.ts";

/** Stored records written as the lines of a fleet file. Fields that are not set are left out. */

export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

type NullIn<Fields> = { [Name in keyof Fields]: null extends Fields[Name] ? Name : never }[keyof Fields];

/** A field that may be null may be missing. */
type WithoutNull<Fields> = Readonly<
  Omit<Fields, NullIn<Fields>> & { [Name in NullIn<Fields>]?: NonNullable<Fields[Name]> }
>;

/** The rules of all, of a tag, or of a device. */
export type SettingsLine = Line & {
  readonly tag?: string;
  readonly rules: ReturnType<typeof ruleLines>;
  readonly valid_from: string;
};

/** All of the account, or those named. */
type Ids = Iterable<string> | null;

export async function accountLine(reader: Reader, accountId: number) {
  const account: StoredAccount = await accountByInternalId(reader, accountId);
  return line("account", {
    id: account.id,
    name: account.name,
    status: account.status,
    limits: withoutNull({
      per_second: account.limit_per_second,
      per_day: account.limit_per_day,
      account_per_day: account.limit_account_per_day,
    }),
    time_zone: account.time_zone,
  });
}

export async function userLines(reader: Reader, accountId: number, ids: Ids): Promise<Line[]> {
  const account = await accountByInternalId(reader, accountId);
  return (await usersOfAccount(reader, accountId, ids)).map(({ id, name, email, role, status }) =>
    line("user", { id, account_id: account.id, name, email, role, status }),
  );
}

export async function deviceLines(reader: Reader, accountId: number, ids: Ids): Promise<Line[]> {
  const account = await accountByInternalId(reader, accountId);
  const rows = await fleetDevicesOfAccount(reader, accountId, ids);
  const numbers = rows.map(({ device }) => device);
  const assigned = Map.groupBy(await subAccountsOfDevices(reader, accountId, numbers), ({ device }) => device);
  const tagged = Map.groupBy(await deviceTagVersions(reader, accountId, numbers), ({ device }) => device);
  return rows.map((row) => {
    const users = (assigned.get(row.device) ?? []).map(({ user_id }) => user_id).sort();
    const tag_versions = listOrNull((tagged.get(row.device) ?? []).map(tagVersion));
    return line("device", { ...deviceFields(row), tag_versions, account_id: account.id, user_ids: listOrNull(users) });
  });
}

function tagVersion({ valid_from, tags_json }: DeviceTagRow) {
  return { valid_from: formatInstant(valid_from), tags: JSON.parse(tags_json) as string[] };
}

function deviceFields({ account_id, device, search_text, tags_json, external_ids_json, ...same }: FleetDeviceRow) {
  const externalIds = JSON.parse(external_ids_json) as Record<string, string>;
  return {
    ...same,
    tags: listOrNull(JSON.parse(tags_json) as string[]),
    external_ids: Object.keys(externalIds).length === 0 ? null : externalIds,
  };
}

export async function driverLines(reader: Reader, accountId: number, ids: Ids): Promise<Line[]> {
  const account = await accountByInternalId(reader, accountId);
  return (await driversOfAccount(reader, accountId, ids)).map((row) =>
    line("driver", { id: row.id, account_id: account.id, name: row.name, driver_ids: driverIdsIn(row) }),
  );
}

/** Of each fence a line for each version, in ascending time. */
export async function geofenceLines(reader: Reader, accountId: number, ids: Ids): Promise<Line[]> {
  const account = await accountByInternalId(reader, accountId);
  const fences = await geofencesOfAccount(reader, accountId, ids);
  const fenceIds = fences.map(({ id }) => id);
  const versions = Map.groupBy(await geofenceVersions(reader, accountId, fenceIds), (row) => row.geofence_id);
  const members = Map.groupBy(
    await geofenceMembers(reader, accountId, fenceIds),
    (row) => `${row.geofence_id} ${row.valid_from}`,
  );
  const devices = await fleetDevicesOfAccount(reader, accountId, null);
  const idOf = new Map(devices.map(({ device, id }) => [device, id]));
  return fences.flatMap(({ id, name, description, color }) =>
    (versions.get(id) ?? []).map(({ valid_from, shape, geometry_json, radius_m, width_m }) => {
      const own = members.get(`${id} ${valid_from}`) ?? [];
      return line("geofence", {
        id,
        account_id: account.id,
        name,
        description,
        color,
        shape,
        geometry: JSON.parse(geometry_json),
        radius_m,
        width_m,
        device_ids: listOrNull(own.flatMap(({ device }) => idOf.get(device) ?? []).sort()),
        valid_from: formatInstant(valid_from),
      });
    }),
  );
}

/**
 * A line for each version, in ascending time: of rules for all, for tags and for devices. Ids are those of devices, `tag:NAME`
 * and `all`.
 */
export async function alertSettingsLines(reader: Reader, accountId: number, ids: Ids): Promise<SettingsLine[]> {
  const named = ids === null ? null : [...ids];
  const removed = await removedGeofenceIds(reader, accountId);
  return [
    ...(await sharedSettingsLines(reader, accountId, named, removed)),
    ...(await ownSettingsLines(reader, accountId, named, removed)),
  ];
}

async function sharedSettingsLines(
  reader: Reader,
  accountId: number,
  ids: readonly string[] | null,
  removedFences: ReadonlySet<string>,
): Promise<SettingsLine[]> {
  const wanted = ids?.filter((id) => id === "all" || id.startsWith("tag:"));
  if (wanted?.length === 0) return [];
  const account = await accountByInternalId(reader, accountId);
  return (await ruleVersions(reader, accountId))
    .filter(({ tag }) => wanted?.includes(tag === forAll ? "all" : `tag:${tag}`) ?? true)
    .map(({ tag, valid_from, rules_json }) =>
      line("alert_settings", {
        account_id: account.id,
        tag: tag === forAll ? null : tag,
        rules: ruleLines(rules_json, removedFences),
        valid_from: formatInstant(valid_from),
      }),
    );
}

async function ownSettingsLines(
  reader: Reader,
  accountId: number,
  ids: readonly string[] | null,
  removedFences: ReadonlySet<string>,
): Promise<SettingsLine[]> {
  const named = ids?.filter(isUuid) ?? (await fleetDevicesOfAccount(reader, accountId, null)).map(({ id }) => id);
  const entries = (await directoryById(reader, named)).filter((entry) => entry.account_id === accountId);
  const idOf = new Map(entries.map(({ device, id }) => [device, id]));
  return (await alertSettingsVersions(reader, accountId, idOf.keys())).map(({ device, valid_from, rules_json }) =>
    line("alert_settings", {
      device_id: idOf.get(device),
      rules: ruleLines(rules_json, removedFences),
      valid_from: formatInstant(valid_from),
    }),
  );
}

function ruleLines(rulesJson: string, removedFences: ReadonlySet<string>) {
  const rules = withoutFences(JSON.parse(rulesJson) as AlertRule[], removedFences);
  return rules.map(({ alertType, enabled, severity, parameters, geofenceIds }) =>
    withoutNull({
      alert_type: alertType,
      enabled,
      severity,
      parameters: Object.keys(parameters).length === 0 ? null : parameters,
      geofence_ids: listOrNull(geofenceIds),
    }),
  );
}

function line<Fields extends object>(type: string, fields: Fields): Line & WithoutNull<Fields> {
  return { type, ...withoutNull(fields) };
}

function withoutNull<Fields extends object>(fields: Fields): WithoutNull<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as WithoutNull<Fields>;
}

function listOrNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
