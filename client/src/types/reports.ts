// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";

/** Report mileage: what may be asked for. */
export interface ReportMileageQuery {
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Start of the window, included; earlier than `to`. Default: 24 hours before `to`, or the date before it if `to` is a date. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  from?: Time | undefined;
  /** End of the window, not included. Default: now. A date alone is the midnight with which that day starts in the account's time zone; a time without an offset is UTC. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  to?: Time | undefined;
}
