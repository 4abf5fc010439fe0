import type { FenceShape } from "../../../domain/geometry/fence-shape.ts";
import type { Managed } from "../../records/portal-records.ts";
import type { Geofence } from "../api/records.ts";
import type { ShapeFields } from "./drawing.ts";

export interface ListedFence
  extends Readonly<Pick<Geofence, "geofence_id" | "name" | "description" | "color" | "updated_at">>,
    ShapeFields,
    Managed {
  readonly device_count: number;
  /** Null: it is there. */
  readonly removed_at: string | null;
}

/** A fence with all that is known of it. */
export interface FenceDetails extends ListedFence {
  /** The vehicles that it has now; of one that was removed, that it had. */
  readonly device_ids: readonly string[];
  /** In ascending time; the last is in force. */
  readonly versions: readonly FenceVersion[];
  /** The alert settings that name it: of a vehicle by its name; without one, for a tag (`tag:NAME`) or for `all`. */
  readonly rules: readonly { readonly id: string; readonly name: string | null }[];
}

export interface FenceVersion extends ShapeFields {
  /** Null: from the beginning. */
  readonly valid_from: string | null;
  readonly device_count: number;
}

/** The shape of a record, which the server has checked. */
export function shapeOfRecord({ shape, geometry, radius_m, width_m }: ShapeFields): FenceShape {
  return { shape, geometry, radiusM: radius_m, widthM: width_m } as unknown as FenceShape;
}
