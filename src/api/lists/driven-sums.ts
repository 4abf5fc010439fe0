import { driverShares } from "../../domain/mileage/driver-shares.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type DrivenDay, type DrivenDays, drivenDays } from "../../store/facts/driven-days.ts";
import type { MileageRange } from "../../store/facts/mileage.ts";
import type { MileageSumRow, MileageSums, SumGroup, SummedDevice } from "../../store/facts/mileage-sums.ts";

interface DrivenQuestion extends Pick<MileageRange, "days"> {
  readonly group: SumGroup;
  /** Null: of all drivers, and of what was driven without one. */
  readonly driverId: string | null;
  /** The first day of a day's period. */
  readonly periodOf: (day: number) => number;
}

/** What drivers drove in each period. As `mileageSums` gives it, for the groups that it knows. */
export async function drivenSums(
  reader: Reader,
  visibility: Visibility,
  devices: readonly SummedDevice[],
  question: DrivenQuestion,
): Promise<MileageSumRow[]> {
  return [...(await drivenSumsByDevice(reader, visibility, devices, question)).values()].flat();
}

/** The same, by internal number. */
export async function drivenSumsByDevice(
  reader: Reader,
  visibility: Visibility,
  devices: readonly SummedDevice[],
  question: DrivenQuestion,
): Promise<ReadonlyMap<number, readonly MileageSumRow[]>> {
  const numbers = devices.map(({ device }) => device);
  const driven = await drivenDays(reader, visibility, numbers, question);
  return new Map(
    devices.map((device) => {
      const own = driven.get(device.device);
      return [device.device, own ? sumsOf(device, own, question) : []];
    }),
  );
}

function sumsOf(device: SummedDevice, { days, trips }: DrivenDays, question: DrivenQuestion): MileageSumRow[] {
  const { group, driverId: wanted, periodOf } = question;
  const rows = new Map<string, MileageSumRow>();
  for (const { day, driverId, ...share } of driverShares<DrivenDay>(days, trips)) {
    if (!day.isIn || (wanted !== null && driverId !== wanted)) continue;
    const member = { device: device.device, tag: device.tags_json, driver: driverId, fleet: 0 }[group];
    const key = `${periodOf(day.day)} ${member}`;
    const sums: MileageSums = {
      device_count: 1,
      distance_mm: share.distanceMm,
      trip_count: share.tripCount,
      driving_ms: share.drivingMs,
      idle_ms: share.idleMs,
      max_speed_m_per_h: share.maxSpeedMPerH,
      gap_distance_mm: share.gapMm,
      carried_mm: share.carriedMm,
    };
    const known = rows.get(key);
    rows.set(key, { member, day: day.day, ...(known ? { ...addedSums(known, sums), device_count: 1 } : sums) });
  }
  return [...rows.values()];
}

export function addedSums(one: MileageSums, other: MileageSums): MileageSums {
  const speeds = [one.max_speed_m_per_h, other.max_speed_m_per_h].filter((speed) => speed !== null);
  return {
    device_count: one.device_count + other.device_count,
    distance_mm: one.distance_mm + other.distance_mm,
    trip_count: one.trip_count + other.trip_count,
    driving_ms: one.driving_ms + other.driving_ms,
    idle_ms: one.idle_ms + other.idle_ms,
    max_speed_m_per_h: speeds.length === 0 ? null : Math.max(...speeds),
    gap_distance_mm: one.gap_distance_mm + other.gap_distance_mm,
    carried_mm: one.carried_mm === null || other.carried_mm === null ? null : one.carried_mm + other.carried_mm,
  };
}
