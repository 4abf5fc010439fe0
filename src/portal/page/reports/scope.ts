import { useMemo } from "react";
import { useAddress } from "../common/navigation/address.ts";
import { daysWindow } from "../common/periods/days.ts";
import type { Period } from "../common/periods/period.ts";
import { usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import type { DevicesById } from "../common/vehicles/devices.ts";
import { type ChosenDevices, useChosenDevices, useDevices } from "../common/vehicles/use-devices.ts";
import type { ListScope } from "./row-source.ts";

/** What a report is about: which days, and which vehicles. All of it is in the address. */
export interface ReportScope {
  readonly period: Period;
  /** The account's time zone, whose days these are. */
  readonly zone: string;
  readonly devices: DevicesById | null;
  readonly chosen: ChosenDevices;
  /** Whether anybody's driver is known. */
  readonly hasDrivers: boolean;
  /** What to ask the API for; null until it is known which vehicles are meant. */
  readonly list: ListScope | null;
}

/** Once it is known which vehicles are meant. */
export interface ReadyScope extends ReportScope {
  readonly list: ListScope;
}

export function useReportScope(): ReportScope {
  const period = usePeriod("yesterday");
  const { account, has_drivers: hasDrivers } = useSession();
  const { time_zone: zone } = account;
  const driver = useAddress().get("driver");
  const devices = useDevices();
  const chosen = useChosenDevices();
  const { ids, isWaiting, vehicles, tags } = chosen;
  const fence = useAddress().get("fence");
  const list = useMemo(() => {
    if (isWaiting) return null;
    const [only = null] = ids?.size === 1 ? [...ids] : [];
    return { window: daysWindow(period.from, period.to, zone), deviceId: only, ids, driver, fence };
  }, [period, zone, ids, isWaiting, driver, fence]);
  // A new object with every load of the vehicles would read the report anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are what their texts are
  const sameList = useMemo(
    () => list,
    [list === null, period, zone, vehicles.join(), tags.join(), ids?.size, driver, fence],
  );
  return { period, zone, devices, chosen, hasDrivers, list: sameList };
}
