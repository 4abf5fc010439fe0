// Made from the description by scripts/client-types.ts: change the description instead.

import type { Time } from "../time.ts";
import type { Severity } from "./changes.ts";

/** List alerts: what may be asked for. */
export interface ListAlertsQuery {
  /** Only alerts that are acknowledged, or only those that are not. Omitted: both. */
  acknowledged?: boolean | undefined;
  /** Only alerts of this severity. */
  severity?: Severity | undefined;
  /** Only alerts of exactly this type. It is not checked against a list: an unknown type gives an empty page. */
  alert_type?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Start of the window, included; earlier than `to`. Default: 24 hours before `to`. Without an offset the time is UTC; a date alone is its midnight. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  from?: Time | undefined;
  /** End of the window, not included. Default: now. Without an offset the time is UTC; a date alone is its midnight. `24:00:00` is the next midnight, a leap second (`:60`) the next minute. The year in UTC is from 0000 to 9999. */
  to?: Time | undefined;
  /** Rows per page. */
  limit?: number | undefined;
}
