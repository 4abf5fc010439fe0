import { nextTurn } from "../../api/turns.ts";
import { storedZone, type Zone } from "../../domain/time/time-zone.ts";
import { windowDays } from "../../domain/time/window.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import {
  type AlertSums,
  alertSums,
  type DriveSums,
  devicesWithFrames,
  driveSums,
  type Moments,
} from "../../store/facts/fleet-days.ts";
import type { ZoneDayRange } from "../../store/facts/mileage.ts";
import type { AccountZones } from "../../store/fleet/accounts.ts";
import { type DeviceRow, visibleDevices } from "../../store/fleet/devices.ts";
import { visibleTrackerFaults } from "../../store/fleet/tracker-faults.ts";
import { devicesPerPart, type InclusiveDays, partsOfSize } from "./parts.ts";

/** Blocks of frames that are opened in one turn, which takes some milliseconds. */
const blocksPerTurn = 100;

/**
 * What a vehicle did in these days. `still`: it reported, but did not drive; `silent`: nothing was heard of it;
 * `retired`: the same of one that is not in use any more, so that nobody expects otherwise.
 */
export type Activity = "drove" | "still" | "silent" | "retired";

export interface VehicleDays {
  readonly device: DeviceRow;
  readonly tags: readonly string[];
  readonly activity: Activity;
  readonly driven: DriveSums | null;
  readonly alerts: AlertSums | null;
  /** What it drove in the days that these are compared with. */
  readonly drivenBefore: DriveSums | null;
  /** Something is wrong with its tracker at present. */
  readonly isFaulty: boolean;
}

export interface VehicleSelection {
  /** Vehicles that have any of these; none: all. */
  readonly tags: ReadonlySet<string>;
  /** Public ids; none: all. */
  readonly deviceIds: ReadonlySet<string>;
}

export interface DaysQuery {
  readonly zones: AccountZones;
  readonly days: InclusiveDays;
  /** Null: compares with nothing. */
  readonly before: InclusiveDays | null;
  readonly selection: VehicleSelection;
}

/** All vehicles of the selection that the viewer sees, in any order. */
export async function vehicleDays(reader: Reader, visibility: Visibility, query: DaysQuery): Promise<VehicleDays[]> {
  const all: VehicleDays[] = [];
  const faulty = new Set((await visibleTrackerFaults(reader, visibility)).map(({ id }) => id));
  const count = devicesPerPart(reader, query.days);
  let after: string | null = null;
  do {
    await nextTurn();
    const page = { after, count, status: null, search: null };
    const rows: DeviceRow[] = await visibleDevices(reader, visibility, page);
    all.push(...(await summedUp(reader, visibility, query, selected(rows, query.selection, faulty))));
    after = rows.length < count ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
  return all;
}

export function momentsOf({ firstDay, lastDay }: InclusiveDays, zone: Zone): Moments {
  return { fromMs: zone.startOf(firstDay), toMs: zone.startOf(lastDay + 1) };
}

type Tagged = Pick<VehicleDays, "device" | "tags" | "isFaulty">;

function selected(
  rows: readonly DeviceRow[],
  { tags, deviceIds }: VehicleSelection,
  faulty: ReadonlySet<string>,
): Tagged[] {
  return rows
    .filter(({ id }) => deviceIds.size === 0 || deviceIds.has(id))
    .map((device) => ({ device, tags: JSON.parse(device.tags_json) as string[], isFaulty: faulty.has(device.id) }))
    .filter((device) => tags.size === 0 || device.tags.some((tag) => tags.has(tag)));
}

async function summedUp(
  reader: Reader,
  visibility: Visibility,
  { zones, days, before }: DaysQuery,
  vehicles: readonly Tagged[],
): Promise<VehicleDays[]> {
  const devices = vehicles.map(({ device }) => device.device);
  const moments = momentsOf(days, storedZone(zones.present));
  const sumsOf = async (range: InclusiveDays) =>
    byDevice(await driveSums(reader, visibility, devices, zoneDays(range, zones)));
  const [driven, earlier, alerts] = await Promise.all([
    sumsOf(days),
    before === null ? new Map<number, DriveSums>() : sumsOf(before),
    alertSums(reader, visibility, devices, moments).then(byDevice),
  ]);
  // When one with a fault was heard says little: perhaps none of its frames is believed.
  const maybeSilent = vehicles.filter(
    ({ device, isFaulty }) => !driven.has(device.device) && (isFaulty || !isHeardIn(device, moments)),
  );
  const numbers = maybeSilent
    .filter(({ device, isFaulty }) => isFaulty || wasHeardLater(device, moments))
    .map(({ device }) => device.device);
  const heard = new Set<number>();
  for (const part of partsOfSize(numbers, blocksPerTurn)) {
    await nextTurn();
    for (const number of await devicesWithFrames(reader, visibility, part, moments)) heard.add(number);
  }
  const silent = new Set(maybeSilent.map(({ device }) => device.device).filter((number) => !heard.has(number)));
  return vehicles.map((vehicle) => {
    const number = vehicle.device.device;
    const sums = driven.get(number) ?? null;
    return {
      ...vehicle,
      activity: activityOf(vehicle.device, sums, silent.has(number)),
      driven: sums,
      alerts: alerts.get(number) ?? null,
      drivenBefore: earlier.get(number) ?? null,
    };
  });
}

function activityOf({ status }: DeviceRow, driven: DriveSums | null, isSilent: boolean): Activity {
  if ((driven?.days_driven ?? 0) > 0) return "drove";
  if (status !== "active") return "retired";
  return isSilent ? "silent" : "still";
}

function isHeardIn({ last_seen_at: at }: DeviceRow, { fromMs, toMs }: Moments): boolean {
  return at !== null && at >= fromMs && at < toMs;
}

function wasHeardLater({ last_seen_at: at }: DeviceRow, { toMs }: Moments): boolean {
  return at !== null && at >= toMs;
}

/** Days that an earlier zone counted are those that overlap these, as in the report of mileage. */
export function zoneDays(
  days: InclusiveDays,
  { present, earlier }: AccountZones,
): readonly [ZoneDayRange, ...ZoneDayRange[]] {
  const window = { ...momentsOf(days, storedZone(present)), clamped: false };
  const inZone = (timeZone: string) => ({ timeZone, ...windowDays(window, storedZone(timeZone)) });
  return [inZone(present), ...earlier.map(inZone)];
}

function byDevice<Row extends { readonly device: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.device, row]));
}
