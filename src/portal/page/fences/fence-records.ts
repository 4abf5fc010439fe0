import type { FenceShape } from "../../../domain/geometry/fence-shape.ts";
import type { Geofence } from "../api/records.ts";

/** A fence in the list. */
export interface ListedFence extends Pick<Geofence, "geofence_id" | "name" | "description" | "color" | "shape"> {
  readonly geometry: Geofence["geometry"];
  readonly radius_m: number | null;
  readonly width_m: number | null;
  /** How many vehicles it has now. */
  readonly device_count: number;
  readonly revision: number;
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
  readonly updated_at: string;
  /** Null: it is there. */
  readonly removed_at: string | null;
}

/** A fence with all that is known of it. */
export interface FenceDetails extends ListedFence {
  /** The vehicles that it has now; of one that was removed, that it had. */
  readonly device_ids: readonly string[];
  /** In ascending time; the last is in force. */
  readonly versions: readonly FenceVersion[];
  /** The alert settings that name it. */
  /** Of a vehicle by its name; without one, for a tag (`tag:NAME`) or for `all`. */
  readonly rules: readonly { readonly id: string; readonly name: string | null }[];
}

export interface FenceVersion extends Pick<ListedFence, "shape" | "geometry" | "radius_m" | "width_m"> {
  /** Null: from the beginning. */
  readonly valid_from: string | null;
  readonly device_count: number;
}

/** The shape of a record, which the server has checked. */
export function shapeOfRecord({
  shape,
  geometry,
  radius_m,
  width_m,
}: Pick<ListedFence, "shape" | "geometry" | "radius_m" | "width_m">): FenceShape {
  return { shape, geometry, radiusM: radius_m, widthM: width_m } as unknown as FenceShape;
}
