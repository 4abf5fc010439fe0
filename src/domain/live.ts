import type { Frame } from "./frame.ts";
import type { Sighting } from "./sighting.ts";

/** The live state of a device, without its trip and its fences. */
export interface LiveState {
  /** The newest valid frame. */
  readonly frame: Frame | null;
  readonly discontinuity: boolean;
  /** Since when the ignition has been on or off; null until a frame reports it. */
  readonly ignition: { readonly on: boolean; readonly since: number } | null;
  /** The newest reported, perhaps by an earlier frame. */
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
