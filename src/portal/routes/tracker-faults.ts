import { rightClock } from "../../domain/time/tracker-clock.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { visibleTrackerFaults } from "../../store/fleet/tracker-faults.ts";
import type { TrackerFaultRecord } from "../both-sides/contract/trackers.ts";
import { portalRoute } from "../route.ts";

/** Of the vehicles that the person sees. Only the owner can put it right. */
export const listTrackerFaults = portalRoute("GET /tracker-faults", "signed in", async ({ parts, session }) => {
  const { visibility } = session;
  const { present: zone } = await accountZones(parts.database, visibility.accountId);
  const faults = await visibleTrackerFaults(parts.database, visibility);
  const data = faults.map(({ id, tracker_clock, clockAheadS, clockAheadAt, isTwin }): TrackerFaultRecord => {
    return {
      device_id: id,
      clock_ahead_s: clockAheadS,
      right_clock: clockAheadS === null ? null : rightClock(tracker_clock, clockAheadS, clockAheadAt, zone),
      shares_imei: isTwin,
    };
  });
  return { body: { data } };
});
