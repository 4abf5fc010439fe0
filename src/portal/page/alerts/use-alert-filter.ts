import { useMemo } from "react";
import { daysWindow } from "../../both-sides/periods/days.ts";
import { useAddress } from "../common/navigation/address.ts";
import { usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { useChosenDevices } from "../common/vehicles/use-devices.ts";
import { type AlertFilter, readAlertState, readSeverities } from "./alert-filter.ts";

const dayMs = 86_400_000;

/** The longest window of the API. */
export const maxDays = 31;

/** What the address says is to be shown; null while the vehicles that it means are not known yet. */
export function useAlertFilter(): AlertFilter | null {
  const { get } = useAddress();
  const { ids: vehicles, isWaiting } = useChosenDevices();
  const zone = useSession().account.time_zone;
  const period = usePeriod("week", maxDays);
  const hasPeriod = get("period") !== null || get("from") !== null;
  const [state, severity, type] = [get("state"), get("severity"), get("type")];
  return useMemo(() => {
    if (isWaiting) return null;
    const now = Date.now();
    const window = hasPeriod ? daysWindow(period.from, period.to, zone) : { from: now - maxDays * dayMs, to: now };
    return {
      state: readAlertState(state),
      severities: readSeverities(severity),
      alertType: type ?? "",
      vehicles,
      from: window.from,
      // A day that is not over yet goes on while the page is open.
      to: window.to >= now ? null : window.to,
    };
  }, [isWaiting, vehicles, zone, period, hasPeriod, state, severity, type]);
}
