import type { Geofence } from "./data.ts";
import type { AddCall, Call, ChangeCall, Edited, EditPreview, List, Managed, One, SeenRevision } from "./envelopes.ts";

export interface FenceRoutes {
  /** With `removed`: those that were removed. */
  "GET /fleet/geofences": Call<List<ListedFence>>;
  "GET /fleet/geofences/{geofence_id}": Call<One<FenceDetails>>;
  "POST /fleet/geofences": AddCall<FenceDetails>;
  "PUT /fleet/geofences/{geofence_id}": ChangeCall<FenceDetails>;
  "POST /fleet/geofences/{geofence_id}/remove": Call<Edited<FenceDetails>, SeenRevision, EditPreview>;
  "POST /fleet/geofences/{geofence_id}/restore": Call<Edited<FenceDetails>, SeenRevision, EditPreview>;
}

/** As a line of the fleet file names it. */
export type ShapeFields = Readonly<Pick<Geofence, "shape" | "geometry" | "radius_m" | "width_m">>;

export interface ListedFence extends ShapeFields, Managed {
  readonly geofence_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly device_count: number;
  readonly updated_at: string;
  /** Null: it is there. */
  readonly removed_at: string | null;
}

/** A fence with all that is known of it. */
export interface FenceDetails extends ListedFence {
  /** The vehicles that it has now; of one that was removed, that it had. */
  readonly device_ids: readonly string[];
  /** In ascending time; the last is in force. */
  readonly versions: readonly FenceVersionRecord[];
  /** The alert settings that name it: of a vehicle by its name; without one, for a tag (`tag:NAME`) or for `all`. */
  readonly rules: readonly { readonly id: string; readonly name: string | null }[];
}

export interface FenceVersionRecord extends ShapeFields {
  /** Null: from the beginning. */
  readonly valid_from: string | null;
  readonly device_count: number;
}
