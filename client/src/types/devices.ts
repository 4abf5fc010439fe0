// Made from the description by scripts/client-types.ts: change the description instead.

import type { DeviceStatus } from "./changes.ts";

/** List devices: what may be asked for. */
export interface ListDevicesQuery {
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Only devices of this status. */
  status?: DeviceStatus | undefined;
  /** Case-insensitive substring of name, IMEI or plate. Empty: as if left out. */
  search?: string | undefined;
  /** Rows per page. */
  limit?: number | undefined;
}
