import type { Frame } from "../frame.ts";
import type { RejectReason } from "../verdict.ts";

/** What of a frame says whether its place is believed, besides the place. */
export type OwnEvidence = Pick<Frame, "fix" | "source" | "satellites" | "accuracy_m" | "hdop">;

type Placed = Pick<Frame, "latitude" | "longitude">;

export type PlacedFrame = Frame & { readonly latitude: number; readonly longitude: number };

/** A receiver that has no position yet often says 0, 0: open sea, where no vehicle is. */
const zeroDegrees = 0.001;

/** Fewer are not enough for a position in three dimensions and a time. */
const minSatellites = 4;

const maxAccuracyMetres = 200;

/** Above this, the satellites are too close together in the sky to locate the receiver. */
const maxHdop = 20;

export function hasPlace<Given extends Placed>(frame: Given): frame is Given & { latitude: number; longitude: number } {
  return frame.latitude !== null && frame.longitude !== null;
}

/** How far off the position may be; null if not reported. A negative accuracy counts as not reported. */
export function knownAccuracyM({ accuracy_m }: OwnEvidence): number | null {
  return accuracy_m !== null && accuracy_m >= 0 ? accuracy_m : null;
}

/** Many trackers do not count satellites and always report 0. One that has reported any does count them. */
export function countsSatellites({ satellites }: OwnEvidence): boolean {
  return satellites !== null && satellites >= 1;
}

/** Why a frame's position is not believed, whatever is around it. 0 satellites may mean that they are not counted. */
export function ownProblem(frame: Placed & OwnEvidence, isKnownToCount = false): RejectReason | null {
  if (frame.fix === false || !hasPlace(frame)) return "no_fix";
  const fromEquator = Math.abs(frame.latitude);
  const fromMeridian = Math.abs(frame.longitude);
  if (fromEquator > 90 || fromMeridian > 180) return "out_of_range";
  if (fromEquator < zeroDegrees && fromMeridian < zeroDegrees) return "zero_coordinates";
  if (frame.source === "cell" || frame.source === "wifi") return "approximate";
  if (hasFewSatellites(frame) && (isKnownToCount || countsSatellites(frame))) return "low_satellites";
  return isImprecise(frame) ? "low_precision" : null;
}

function hasFewSatellites({ satellites }: OwnEvidence): boolean {
  return satellites !== null && satellites < minSatellites;
}

function isImprecise(frame: OwnEvidence): boolean {
  const accuracyM = knownAccuracyM(frame);
  if (accuracyM !== null) return accuracyM > maxAccuracyMetres;
  return frame.hdop !== null && frame.hdop > maxHdop;
}
