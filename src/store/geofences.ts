/** A fence as its newest version has it. */
export interface VisibleGeofenceRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly shape: "circle" | "polygon" | "corridor";
  readonly geometry_json: string;
  readonly radius_m: number | null;
  readonly width_m: number | null;
  readonly bbox_json: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface AssignedGeofenceRow extends VisibleGeofenceRow {
  readonly assigned_at: number;
  /** Whether the device's live position is inside, as the fold left it; null while there is no position. */
  readonly inside: number | boolean | null;
}
