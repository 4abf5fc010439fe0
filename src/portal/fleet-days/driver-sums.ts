import { addedSums, drivenSumsByDevice } from "../../api/lists/driven-sums.ts";
import { milli } from "../../api/records/values.ts";
import { nextTurn } from "../../api/turns.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import { devicesToSum, type MileageSums, type SummedDevice } from "../../store/facts/mileage-sums.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { driverNames } from "../../store/fleet/drivers.ts";
import type { DriverSums, DriverSumsRecord } from "../both-sides/contract/fleet-days.ts";
import { devicesPerPart } from "./parts.ts";
import { readDriverSumsQuery } from "./query.ts";
import { type VehicleSelection, zoneDays } from "./vehicle-days.ts";

/**
 * Who drove how much in some days of the account's zone, as `/reports/mileage/sums` has it: by the same function, of any choice of
 * vehicles. A person has one row, whatever tags and cards they have; so have all ways without a driver.
 */
export async function driverSums(database: Database, visibility: UserVisibility, text: string): Promise<DriverSums> {
  const { days, selection } = readDriverSumsQuery(text);
  const range = zoneDays(days, await accountZones(database, visibility.accountId));
  const question = { days: range, group: "driver", driverId: null, periodOf: () => 0 } as const;
  const byTag = new Map<string | null, Map<number, MileageSums>>();
  const count = devicesPerPart(database, days);
  let after: string | null = null;
  do {
    await nextTurn();
    const devices: SummedDevice[] = await devicesToSum(database, visibility, { device: null, after, count });
    const wanted = devices.filter((each) => isSelected(each, selection));
    for (const [device, rows] of await drivenSumsByDevice(database, visibility, wanted, question)) {
      for (const { member, day: _, ...sums } of rows) {
        const tag = member === null ? null : String(member);
        byTag.set(tag, (byTag.get(tag) ?? new Map()).set(device, sums));
      }
    }
    after = devices.length < count ? null : (devices.at(-1)?.id ?? null);
  } while (after !== null);
  const names = await driverNames(database, visibility.accountId, byTag.keys());
  const people = Map.groupBy(byTag, ([tag]) => (tag === null ? null : (names.get(tag) ?? tag)));
  const data = [...people].map(([driver, tags]) =>
    record(
      driver,
      tags.map(([, sums]) => sums),
    ),
  );
  return { data: data.sort((one, other) => other.distance_km - one.distance_km) };
}

function isSelected({ id, tags_json }: SummedDevice, { tags, deviceIds }: VehicleSelection): boolean {
  if (deviceIds.size > 0 && !deviceIds.has(id)) return false;
  return tags.size === 0 || (JSON.parse(tags_json) as string[]).some((tag) => tags.has(tag));
}

/** By tag, each by vehicle. */
function record(driver: string | null, sums: readonly ReadonlyMap<number, MileageSums>[]): DriverSumsRecord {
  const all = sums.flatMap((byDevice) => [...byDevice.values()]).reduce(addedSums);
  return {
    driver,
    vehicle_count: new Set(sums.flatMap((byDevice) => [...byDevice.keys()])).size,
    distance_km: all.distance_mm / 1e6,
    carried_km: (all.carried_mm ?? 0) / 1e6,
    driving_s: milli(all.driving_ms),
    idle_s: milli(all.idle_ms),
    trip_count: all.trip_count,
    max_speed_kmh: milli(all.max_speed_m_per_h),
  };
}
