import { Failure } from "../../domain/errors.ts";
import type { RulesScope } from "../../domain/fleet.ts";
import { emailKey } from "../../domain/text/email.ts";
import { trackerKey } from "../../domain/text/identifiers.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { FleetFile, OnLine } from "./fleet-file.ts";
import type { RecordOf } from "./records.ts";
import { firstProblems } from "./reference.ts";

/** Finds what two lines of one file both claim. Whether the records they refer to exist is checked later, in the store. */
export function checkWithinFile(file: FleetFile): void {
  const { accounts, users, devices, drivers, geofences, alertSettings } = file;
  const problems = [
    ...[accounts, users, devices, drivers].flatMap((records: readonly OnLine<{ readonly id: string }>[]) =>
      repeated(records, ({ id }) => id, usedAlready("id")),
    ),
    ...repeated(
      drivers.flatMap(({ line, record: { account_id, driver_ids } }) =>
        driver_ids.map((driverId) => ({ line, record: `${account_id} ${driverId}` })),
      ),
      (key) => key,
      (key, line) => usedAlready("driver_ids")(key.slice(key.indexOf(" ") + 1), line),
    ),
    ...repeated(geofences, (fence) => versionKey(fence.id, fence.valid_from), versionUsedAlready("id")),
    ...repeated(
      alertSettings.filter(({ record }) => record.scope.for === "device"),
      (rules) => versionKey(nameOfScope(rules.scope), rules.valid_from),
      versionUsedAlready("device_id"),
    ),
    ...repeated(
      alertSettings.filter(({ record }) => record.scope.for !== "device"),
      (rules) => versionKey(nameOfScope(rules.scope), rules.valid_from),
      versionUsedAlready("account_id"),
    ),
    ...repeated(devices, ({ imei }) => imei, usedAlready("imei")),
    ...repeatedTrackers(devices),
    ...repeated(users, ({ email }) => emailKey(email), usedAlready("email")),
    ...repeated(
      users.filter(({ record }) => record.role === "owner"),
      ({ account_id }) => account_id,
      (accountId, line) => `field "role": account ${accountId} has its owner on line ${line} already`,
    ),
  ];
  if (problems.length === 0) return;
  problems.sort((one, other) => one.line - other.line);
  throw new Failure("FLEET_FILE_INVALID", firstProblems(problems.map(({ line, text }) => `line ${line}: ${text}`)));
}

interface Problem {
  readonly line: number;
  readonly text: string;
}

/** One problem for every record whose key an earlier line has used. */
function repeated<T>(
  records: readonly OnLine<T>[],
  keyOf: (record: T) => string,
  describe: (key: string, firstLine: number) => string,
): Problem[] {
  const firstLineOf = new Map<string, number>();
  const problems: Problem[] = [];
  for (const { line, record } of records) {
    const key = keyOf(record);
    const firstLine = firstLineOf.get(key);
    if (firstLine === undefined) firstLineOf.set(key, line);
    else problems.push({ line, text: describe(key, firstLine) });
  }
  return problems;
}

/** A tracker id is also no IMEI of another line, whichever of them comes first. */
function repeatedTrackers(devices: readonly OnLine<RecordOf<"device">>[]): Problem[] {
  const claims = devices.flatMap(({ line, record: { imei, tracker_id } }) => [
    { line, key: trackerKey(imei), trackerId: null },
    ...(tracker_id === null ? [] : [{ line, key: trackerKey(tracker_id), trackerId: tracker_id }]),
  ]);
  const byKey = Map.groupBy(claims, ({ key }) => key);
  return claims.flatMap(({ line, key, trackerId }): Problem[] => {
    if (trackerId === null) return [];
    const other = byKey
      .get(key)
      ?.find((claim) => claim.line !== line && (claim.trackerId === null || claim.line < line));
    return other ? [{ line, text: usedAlready("tracker_id")(trackerId, other.line) }] : [];
  });
}

function usedAlready(field: string) {
  return (key: string, firstLine: number) => `field "${field}": ${key} is used by line ${firstLine} already`;
}

function nameOfScope(scope: RulesScope): string {
  if (scope.for === "device") return scope.deviceId;
  return scope.for === "tag" ? `${scope.accountId} with tag ${JSON.stringify(scope.tag)}` : scope.accountId;
}

/** Fences and settings have versions: the same id may come again with another `valid_from`. */
function versionKey(id: string, validFrom: number | null): string {
  return validFrom === null ? id : `${id} from ${formatInstant(validFrom)}`;
}

function versionUsedAlready(field: string) {
  return (key: string, firstLine: number) =>
    `field "${field}": ${key} is used by line ${firstLine} already (two versions need different valid_from)`;
}
