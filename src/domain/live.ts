import type { Frame } from "./frame.ts";
import type { Sighting } from "./sighting.ts";

/** What is shown of a device as of now, beside its trip and its fences. */
export interface LiveState {
  /** The newest valid frame. */
  readonly frame: Frame | null;
  readonly discontinuity: boolean;
  /** Since when the ignition has been as the newest frames say; null as long as none said anything. */
  readonly ignition: { readonly on: boolean; readonly since: number } | null;
  /** The newest that was reported, perhaps earlier than the frame. */
  readonly odometerKm: number | null;
}

export const initialLive: LiveState = { frame: null, discontinuity: false, ignition: null, odometerKm: null };

export function stepLive(state: LiveState, { frame, fix, verdict }: Sighting): LiveState {
  if (fix === null) return state;
  const { ignition } = state;
  return {
    frame,
    discontinuity: verdict.discontinuity,
    ignition:
      fix.ignition === null || fix.ignition === ignition?.on ? ignition : { on: fix.ignition, since: frame.recordedAt },
    odometerKm: fix.odometerKm ?? state.odometerKm,
  };
}
