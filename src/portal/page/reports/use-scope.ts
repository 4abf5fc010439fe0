import { useMemo } from "react";
import { daysWindow } from "../../both-sides/periods/days.ts";
import type { ReportScope } from "../../both-sides/reports/scope.ts";
import { getJson } from "../api/request.ts";
import { useAddress } from "../common/navigation/address.ts";
import { usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { useChosenDevices, useDevices } from "../common/vehicles/use-devices.ts";

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
    return { get: getJson, window: daysWindow(period.from, period.to, zone), deviceId: only, ids, driver, fence };
  }, [period, zone, ids, isWaiting, driver, fence]);
  // A new object with every load of the vehicles would read the report anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are what their texts are
  const sameList = useMemo(
    () => list,
    [list === null, period, zone, vehicles.join(), tags.join(), ids?.size, driver, fence],
  );
  return { period, zone, devices, chosen, hasDrivers, list: sameList };
}
