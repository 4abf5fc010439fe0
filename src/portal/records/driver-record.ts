import type { Managed } from "./portal-records.ts";

/** A driver as the owner sees them. */
export interface DriverRecord extends Managed {
  readonly id: string;
  readonly name: string;
  readonly driver_ids: readonly string[];
}

/** An id that a tracker sent lately and that no driver has. */
export interface UnnamedDriverId {
  readonly driver_id: string;
  readonly seen_at: string;
}
