import { imeisWithKey, trackerKey } from "../../domain/text/identifiers.ts";
import type { TrackerNames } from "../../domain/tracker-identity.ts";
import type { Reader } from "../../store/database.ts";
import { directoryByImei, type FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import { type TrackerHolder, trackerHolders } from "../../store/fleet/tracker-names.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import type { RecordOf } from "../parse/records.ts";
import { DoesNotFit } from "../parse/reference.ts";
import type { DeviceRows } from "./context.ts";

type Line = OnLine<RecordOf<"device">>;

/**
 * Names of trackers that other devices have, of whatever account. Not those that a device has as it is stored: before version 1.4
 * two IMEIs could differ in leading zeros only, and such devices can still be loaded and edited.
 */
export async function refuseTakenNames(
  reader: Reader,
  lines: readonly Line[],
  stored: DeviceRows["stored"],
): Promise<void> {
  refuseSharedImeis(lines, stored);
  const inFile = new Set(lines.map(({ record }) => record.id));
  const claims = lines.flatMap(({ line, record }) =>
    newNames(record, stored.get(record.id)).map((field) => ({ line, field, name: record[field] ?? "" })),
  );
  const names = claims.map(({ name }) => name);
  const holders = await trackerHolders(reader, names);
  const heirs = await heirsOf(
    reader,
    [...holders.values()].filter(({ id }) => inFile.has(id)),
  );
  const taken = new Set([...holders.values(), ...heirs].filter(({ id }) => !inFile.has(id)).map(keyOf));
  const refused = claims.find(({ name }) => taken.has(trackerKey(name)));
  if (refused === undefined) return;
  const { line, field, name } = refused;
  throw new DoesNotFit(line, field, `${name} belongs to another device already${aboutZeros(name)}`);
}

/** Devices without a tracker, whose IMEI a file may set free: what one device gives away, the next of these gets. */
async function heirsOf(reader: Reader, holders: readonly TrackerHolder[]): Promise<TrackerHolder[]> {
  const imeis = await directoryByImei(reader, holders.map(keyOf).flatMap(imeisWithKey));
  return imeis.map(({ imei, ...entry }) => ({ ...entry, tracker_key: trackerKey(imei) }));
}

function keyOf({ tracker_key }: TrackerHolder): string {
  return tracker_key;
}

function newNames(record: TrackerNames, stored: FleetDeviceRow | undefined): (keyof TrackerNames)[] {
  return (["imei", "tracker_id"] as const).filter(
    (field) => record[field] !== null && record[field] !== stored?.[field],
  );
}

/** What else two lines both claim is found before, without the store. */
function refuseSharedImeis(lines: readonly Line[], stored: DeviceRows["stored"]): void {
  for (const same of Map.groupBy(lines, ({ record }) => trackerKey(record.imei)).values()) {
    if (same.length === 1) continue;
    const isNew = ({ record }: Line) => stored.get(record.id)?.imei !== record.imei;
    const first = same.find((line) => !isNew(line)) ?? same[0];
    const second = same.find((line) => line !== first && isNew(line));
    if (first === undefined || second === undefined) continue;
    const { imei } = second.record;
    throw new DoesNotFit(second.line, "imei", `${imei} is used by line ${first.line} already${zeros}`);
  }
}

/** A person may look for the same digits, and find none. */
const zeros = ": leading zeros make no difference";

function aboutZeros(name: string): string {
  return /^0[0-9]/.test(name) ? zeros : "";
}
