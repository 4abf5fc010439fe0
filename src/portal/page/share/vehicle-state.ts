import type { SharedVehicle } from "../../both-sides/contract/shares.ts";
import type { ShownMotion } from "../common/vehicles/motion.ts";

/** A vehicle under way reports every minute or so: what is older says little about where it is now. A parked tracker sleeps. */
const oldMs = 15 * 60_000;
const parkedOldMs = 24 * 3_600_000;

export interface SharedVehicleState {
  readonly motion: ShownMotion;
  /** How old the position is. */
  readonly ageMs: number;
}

/** What a visitor sees of a vehicle's state; null: nothing is known yet. Pure. */
export function sharedVehicleState(
  { position }: Pick<SharedVehicle, "position">,
  now: number,
): SharedVehicleState | null {
  if (position === null) return null;
  const ageMs = Math.max(0, now - Date.parse(position.recorded_at));
  const isOld = ageMs > (position.moving ? oldMs : parkedOldMs);
  return { motion: isOld ? "offline" : position.moving ? "moving" : "stopped", ageMs };
}
