import type { Frame } from "../frame.ts";
import type { RejectReason } from "../verdict.ts";

/** A frame that says where it was taken. */
export type PlacedFrame = Frame & { readonly latitude: number; readonly longitude: number };

/** A receiver that has no position yet often says 0, 0: open sea, where no vehicle is. */
const zeroDegrees = 0.001;

/** Fewer do not give a position in three dimensions and a time. */
const fewestSatellites = 4;

const leastPreciseMetres = 200;

/** Beyond it the satellites are too close together in the sky to show where the receiver is. */
const leastPreciseHdop = 20;

export function hasPlace(frame: Frame): frame is PlacedFrame {
  return frame.latitude !== null && frame.longitude !== null;
}

/** How far off the position may be; null if the tracker does not say. A negative accuracy says nothing. */
export function knownAccuracyM({ accuracy_m }: Frame): number | null {
  return accuracy_m !== null && accuracy_m >= 0 ? accuracy_m : null;
}

/** Why a frame's position is not believed, whatever the frames around it say; null if it may be believed. */
export function ownProblem(frame: Frame): RejectReason | null {
  if (frame.fix === false || !hasPlace(frame)) return "no_fix";
  const fromEquator = Math.abs(frame.latitude);
  const fromMeridian = Math.abs(frame.longitude);
  if (fromEquator > 90 || fromMeridian > 180) return "out_of_range";
  if (fromEquator < zeroDegrees && fromMeridian < zeroDegrees) return "zero_coordinates";
  if (frame.source === "cell" || frame.source === "wifi") return "approximate";
  if (frame.satellites !== null && frame.satellites < fewestSatellites) return "low_satellites";
  return isImprecise(frame) ? "low_precision" : null;
}

function isImprecise(frame: Frame): boolean {
  const accuracyM = knownAccuracyM(frame);
  if (accuracyM !== null) return accuracyM > leastPreciseMetres;
  return frame.hdop !== null && frame.hdop > leastPreciseHdop;
}
