import { z } from "zod";
import { isFitPassword, isPasswordHash, passwordExpected, passwordHashExpected } from "../../access/passwords.ts";
import { alertTypes, severities } from "../../domain/alert-types.ts";
import { needsTimes } from "../../domain/alerts/read-rule.ts";
import { hasSameTags } from "../../domain/alerts/set-rules.ts";
import {
  type AlertRule,
  accountStatuses,
  defaultPerDayLimit,
  defaultPerSecondLimit,
  deviceStatuses,
  type RulesScope,
  userRoles,
  userStatuses,
} from "../../domain/fleet.ts";
import { readFenceShape } from "../../domain/geometry/fence-shape.ts";
import { isImei, isTrackerId, isUuid, maxTrackerIdLength } from "../../domain/text/identifiers.ts";
import { isText } from "../../domain/text/text.ts";
import { parseInstant } from "../../domain/time/time.ts";
import { trackerProtocols } from "../../domain/tracker-protocols.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import { timesNeeded } from "./times.ts";
import { boundedArray, boundedFields, knownParameters, readAlertParameters, timeZone, trackerClock } from "./values.ts";

/**
 * The records of a fleet file. They have the names of their lines; rules and shapes are the domain's. What is left out is null,
 * or has its default. The message of every issue completes the sentence "expected …". Bounds are generous; they keep one slip (a whole file in a name) from filling the store.
 */

function text(min: number, max: number) {
  const error = `text of ${min} to ${max} characters, none of them a control character`;
  return z
    .string({ error })
    .trim()
    .refine((value) => isText(value, min, max), { error });
}

/** An empty text means null. */
function optionalText(max: number) {
  const error = `text of at most ${max} characters, none of them a control character`;
  return z
    .string({ error })
    .trim()
    .refine((value) => isText(value, 0, max), { error })
    .nullish()
    .transform((value) => value || null);
}

function optionalNumber(min: number, max: number, kind: "a number" | "a whole number") {
  const error = `${kind} from ${min} to ${max}`;
  const number = z.number({ error }).min(min, { error }).max(max, { error });
  const checked = kind === "a number" ? number : number.refine(Number.isInteger, { error });
  return checked.nullish().transform((value) => value ?? null);
}

function activeUnlessNamed<Status>(status: Status | null | undefined): Status | "active" {
  return status ?? "active";
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `one of ${values.join(", ")}` });
}

const uuid = z
  .string({ error: "a UUID" })
  .refine(isUuid, { error: "a UUID" })
  .transform((value) => value.toLowerCase());

const imei = z.string({ error: "a string of 14 to 16 digits" }).refine(isImei, { error: "14 to 16 digits" });

const trackerIdExpected = `text of 1 to ${maxTrackerIdLength} visible ASCII characters, none of them a space`;

/** An empty text means null. */
const trackerId = z
  .string({ error: trackerIdExpected })
  .trim()
  .refine((value) => value === "" || isTrackerId(value), { error: trackerIdExpected })
  .nullish()
  .transform((value) => value || null);

const instant = z
  .string({ error: "an ISO 8601 time" })
  .transform(parseInstant)
  .refine((value) => value !== null, { error: "an ISO 8601 time such as 2026-01-31T08:00:00Z" })
  .nullish()
  .transform((value) => value ?? null);

/** A list of distinct items, in the order of their first mention. */
function list<Item extends z.ZodType>(item: Item, max: number, what: string) {
  const error = `an array of at most ${max} ${what}`;
  return boundedArray(item, max, error)
    .nullish()
    .transform((items) => [...new Set(items ?? [])]);
}

const limitsFields = z.object(
  {
    per_second: optionalNumber(1, 100_000, "a whole number"),
    per_day: optionalNumber(1, 1_000_000_000, "a whole number"),
    account_per_day: optionalNumber(1, 1_000_000_000, "a whole number"),
  },
  { error: "an object with per_second, per_day and account_per_day" },
);

const account = z.object({
  id: uuid,
  name: text(1, 200),
  status: oneOf(accountStatuses).nullish().transform(activeUnlessNamed),
  limits: limitsFields.nullish().transform((limits) => ({
    per_second: limits?.per_second ?? defaultPerSecondLimit,
    per_day: limits?.per_day ?? defaultPerDayLimit,
    account_per_day: limits?.account_per_day ?? null,
  })),
  time_zone: timeZone,
});

const emailExpected = "an e-mail address of at most 254 characters";

const userFields = z.object({
  id: uuid,
  account_id: uuid,
  name: text(1, 200),
  email: z
    .string({ error: emailExpected })
    .trim()
    .normalize("NFC")
    .refine((value) => isText(value, 3, 254) && /^[^\s@]+@[^\s@]+$/.test(value), { error: emailExpected }),
  /** In clear text, on its way from the file to the hash: never store it, log it or show it. */
  password: z.string({ error: passwordExpected }).refine(isFitPassword, { error: passwordExpected }).nullish(),
  /** Of an exported fleet, in place of the password; a secret, too. */
  password_hash: z
    .string({ error: passwordHashExpected })
    .refine(isPasswordHash, { error: passwordHashExpected })
    .nullish(),
  role: oneOf(userRoles),
  status: oneOf(userStatuses).nullish().transform(activeUnlessNamed),
});

const user = userFields
  .refine(({ password, password_hash }) => password == null || password_hash == null, {
    path: ["password_hash"],
    error: "either password or password_hash, not both",
  })
  .transform(({ password = null, password_hash = null, ...same }) => ({ ...same, password, password_hash }));

const maxExternalIds = 50;
const externalIdsExpected = `an object of at most ${maxExternalIds} strings`;

const tag = text(1, 64);
const tags = list(tag, 50, "tags");

/** A tag as it is stored; null: it can be none. */
export function readTag(value: string): string | null {
  return tag.safeParse(value).data ?? null;
}

const maxTagVersions = 10_000;
const tagVersionsExpected = `an array of at most ${maxTagVersions} objects with valid_from and tags`;
const tagVersionFields = z.object({ valid_from: instant, tags }, { error: tagVersionsExpected });

/** A version without a moment is the beginning. An empty list means null. */
const tagVersions = boundedArray(tagVersionFields, maxTagVersions, tagVersionsExpected, 10)
  .transform((versions) =>
    versions
      .map(({ valid_from, tags }) => ({ valid_from: valid_from ?? fromTheBeginning, tags }))
      .sort((one, other) => one.valid_from - other.valid_from),
  )
  .refine((versions) => new Set(versions.map(({ valid_from }) => valid_from)).size === versions.length, {
    error: "versions with a different valid_from each",
  })
  .nullish()
  .transform((versions) => (versions?.length ? versions : null));

const deviceFields = z.object({
  id: uuid,
  account_id: uuid,
  imei,
  name: text(1, 200),
  plate: optionalText(32),
  status: oneOf(deviceStatuses).nullish().transform(activeUnlessNamed),
  vin: optionalText(32),
  vehicle_make: optionalText(100),
  vehicle_model: optionalText(100),
  vehicle_year: optionalNumber(1900, 2100, "a whole number"),
  vehicle_type: optionalText(100),
  tracker_model: optionalText(100),
  tracker_clock: trackerClock,
  tracker_id: trackerId,
  tracker_protocol: oneOf(trackerProtocols)
    .nullish()
    .transform((name) => name ?? null),
  fuel_tank_capacity_l: optionalNumber(1, 100_000, "a number"),
  tags,
  tag_versions: tagVersions,
  external_ids: boundedFields(maxExternalIds, externalIdsExpected).pipe(
    z
      .record(text(1, 64), text(1, 200), { error: externalIdsExpected })
      .nullish()
      .transform((ids) => ids ?? {}),
  ),
  user_ids: list(uuid, 10_000, "user ids"),
});

const device = deviceFields.transform((fields, context) => {
  const newest = fields.tag_versions?.at(-1)?.tags;
  if (newest && !hasSameTags(newest, fields.tags)) {
    const expected = "the tags of the newest of tag_versions (to change them, leave out tag_versions)";
    context.addIssue({ code: "custom", path: ["tags"], message: expected, input: fields.tags });
  }
  return fields;
});

/** What a spreadsheet may say of a device beyond its trackers and its name. */
const describedDevice = deviceFields.pick({
  ...{ vin: true, vehicle_make: true, vehicle_model: true, vehicle_year: true, vehicle_type: true },
  ...{ tracker_model: true, tracker_clock: true, fuel_tank_capacity_l: true, tags: true, external_ids: true },
});

type DescribedDevice = z.output<typeof describedDevice>;

/** Those fields as they are stored, or the name of the first one that is wrong. */
export function readDescribedDevice(fields: object): DescribedDevice | keyof DescribedDevice {
  const { success, data, error } = describedDevice.safeParse(fields);
  return success ? data : (String(error.issues[0]?.path[0]) as keyof DescribedDevice);
}

/** As many as anybody carries, and as long as a frame may send them. */
const driverIds = list(text(1, 64), 50, "driver ids");

const driver = z.object({
  id: uuid,
  account_id: uuid,
  name: text(1, 200),
  driver_ids: driverIds.transform((ids) => ids.sort()),
});

/** The portal uses it as a style, so it must be nothing but a colour. */
const color = z
  .string({ error: "a colour such as #1e90ff or red" })
  .trim()
  .regex(/^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{3,30})$/i, { error: "a colour such as #1e90ff or red" })
  .nullish()
  .transform((value) => value ?? null);

const fenceFields = z.object({
  id: uuid,
  account_id: uuid,
  name: text(1, 200),
  description: optionalText(2000),
  color,
  device_ids: list(uuid, 100_000, "device ids"),
  /** From when this version holds; null: from the moment it is stored, or always if it is the first. */
  valid_from: instant,
});

const fenceShape = z.record(z.string(), z.unknown()).transform((raw, context) => {
  const { shape, problems } = readFenceShape(raw);
  for (const { path, expected, found } of problems ?? []) {
    context.addIssue({ code: "custom", path: [...path], message: expected, params: { found }, input: raw });
  }
  return shape ?? z.NEVER;
});

/** Both halves of a fence are read even if one is wrong, so that all problems are reported at once. */
const geofence = z.intersection(fenceFields, fenceShape);

const maxParameters = 100;
const parametersExpected = "an object";

const ruleFields = z.object(
  {
    alert_type: oneOf(alertTypes as [(typeof alertTypes)[number], ...typeof alertTypes]),
    enabled: z.boolean({ error: "true or false" }).nullish(),
    severity: oneOf(severities).nullish(),
    parameters: boundedFields(maxParameters, parametersExpected).pipe(
      z.record(z.string(), z.unknown(), { error: parametersExpected }).nullish(),
    ),
    geofence_ids: list(uuid, 10_000, "geofence ids"),
  },
  { error: "an object with an alert_type" },
);

const rule = ruleFields.transform(({ alert_type, enabled, severity, parameters, geofence_ids }, context): AlertRule => {
  const read = readAlertParameters(alert_type, parameters ?? {});
  for (const { path, expected } of read.problems) {
    context.addIssue({ code: "custom", path: ["parameters", ...path], message: expected, input: parameters });
  }
  if (
    enabled !== false &&
    read.problems.length === 0 &&
    needsTimes(alert_type) &&
    read.parameters.times === undefined
  ) {
    context.addIssue({ code: "custom", path: ["parameters", "times"], message: timesNeeded, input: parameters });
  }
  return {
    alertType: alert_type,
    enabled: enabled ?? true,
    severity: severity ?? null,
    parameters: read.parameters,
    geofenceIds: geofence_ids,
  };
});

const maxRules = 200;
const rulesExpected = `an array of at most ${maxRules} rules`;

const settingsFields = z.object({
  device_id: uuid.nullish(),
  account_id: uuid.nullish(),
  tag: tag.nullish(),
  rules: boundedArray(rule, maxRules, rulesExpected, 10),
  valid_from: instant,
});

const alertSettings = settingsFields.transform((fields, context) => {
  const { device_id, account_id, tag, rules, valid_from } = fields;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message, input: fields, params: { found: "" } });
  if (device_id && account_id) refuse("account_id", "either device_id or account_id, not both");
  if (device_id && tag) refuse("tag", "no tag beside a device_id");
  if (!device_id && !account_id) {
    refuse("device_id", "a device_id, or the account_id of rules for a tag or for all devices");
    return z.NEVER;
  }
  return { scope: scopeOf(device_id, account_id ?? "", tag), rules, valid_from };
});

function scopeOf(deviceId: string | null | undefined, accountId: string, tag: string | null | undefined): RulesScope {
  if (deviceId) return { for: "device", deviceId };
  return tag ? { for: "tag", accountId, tag } : { for: "account", accountId };
}

export const recordSchemas = { account, user, device, driver, geofence, alert_settings: alertSettings };

export type RecordType = keyof typeof recordSchemas;
export type RecordOf<Type extends RecordType> = z.output<(typeof recordSchemas)[Type]>;

/** The field names of a record; null where the content of a field is not checked for unknown names. */
export interface KnownFields {
  readonly [field: string]: KnownFields | null;
}

function namesIn(fields: z.ZodObject): KnownFields {
  return Object.fromEntries(Object.keys(fields.shape).map((name) => [name, null]));
}

/** Unknown fields are probably misspelt: they are ignored, and the caller warns about them. */
export const knownFields: Record<RecordType, KnownFields> = {
  account: { ...namesIn(account), limits: namesIn(limitsFields) },
  user: namesIn(userFields),
  device: { ...namesIn(deviceFields), tag_versions: namesIn(tagVersionFields) },
  driver: namesIn(driver),
  geofence: {
    ...namesIn(fenceFields),
    shape: null,
    geometry: { type: null, coordinates: null, bbox: null },
    radius_m: null,
    width_m: null,
  },
  alert_settings: { ...namesIn(settingsFields), rules: { ...namesIn(ruleFields), parameters: knownParameters } },
};
