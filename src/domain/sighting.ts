import type { Frame } from "./frame.ts";
import { metresBetween } from "./geometry/distance.ts";
import {
  isFrozen,
  type Motion,
  motionAlong,
  motionAt,
  noTrail,
  type PlacesSpeed,
  speedAlong,
  type Trail,
  trailAfter,
} from "./motion.ts";
import { areTrusted, checked, type Pairs, type SpeedCheck, speedMmBetween } from "./speed-check.ts";
import type { JudgedFrame, Verdict } from "./verdict.ts";

/** What the rules remember of a valid frame. */
export interface Fix {
  readonly at: number;
  readonly receivedAt: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Believed, or null. */
  readonly speedKmh: number | null;
  readonly accuracyM: number | null;
  readonly ignition: boolean | null;
  readonly odometerKm: number | null;
  readonly motion: Motion;
  /** Absent if none was sent, as in a frame. */
  readonly driverId?: string | undefined;
  /** Absent until the tracker has said that the ignition was on: an input that never does may not be connected. */
  readonly isWired?: true | undefined;
}

/** From one valid frame to the next. */
export interface Leg {
  readonly from: Fix;
  readonly to: Fix;
  readonly metres: number;
  readonly ms: number;
  /** The speed that the leg implies; 0 if it has no length. */
  readonly impliedKmh: number;
  /** The tracker's speeds show how far the vehicle came: see `areTrusted`. */
  readonly areSpeedsTrusted: boolean;
  /** With the leg before, if the way is straight and the speed is steady: see `scaleOf`. */
  readonly straightPair: Pairs | null;
  /** By how much a stretch that ends here was longer, straight, than its speeds allow: see `checked`. */
  readonly excessMm: number;
  /** The way by the speeds of frames in between that repeated the place where it begins; null if none did. */
  readonly frozenMm: number | null;
  /** By the places of the last minute; null if a speed is reported, or they do not say. */
  readonly byPlaces: PlacesSpeed | null;
}

/** A frame as the rules see it. */
export interface Sighting {
  readonly frame: Frame;
  readonly verdict: Verdict;
  /** Null unless the frame is valid. */
  readonly fix: Fix | null;
  /** The valid frame before this one, however old. */
  readonly previous: Fix | null;
  /** Null without a fix, without a previous one, and over a discontinuity. */
  readonly leg: Leg | null;
  /** It repeats the place of the frame before: see `isFrozen`. The next leg is from that one. */
  readonly isRepeated: boolean;
  /** What is known of the speeds after the frame. */
  readonly speedCheck: SpeedCheck | null;
  /** What was driven since the place that frames have repeated. */
  readonly frozen: Frozen | null;
}

/** Frames that repeat a place still say their speed. */
export interface Frozen {
  readonly at: number;
  readonly speedKmh: number | null;
  readonly mm: number;
}

/**
 * Combines a judged frame with the valid one before it, with the trail of a tracker that reports no speed, and with what
 * is known of the speeds of one that does.
 */
export function sight(
  { frame, verdict, speedKmh }: JudgedFrame,
  previous: Fix | null,
  trail: Trail,
  check: SpeedCheck | null = null,
  frozen: Frozen | null = null,
): Sighting {
  const { latitude, longitude } = frame;
  if (!verdict.valid || latitude === null || longitude === null) {
    return { frame, verdict, fix: null, previous, leg: null, isRepeated: false, speedCheck: check, frozen };
  }
  const follows = previous !== null && !verdict.discontinuity;
  const place = { latitude, longitude };
  const metres = previous === null ? 0 : metresBetween(previous, place);
  const ms = previous === null ? 0 : frame.recordedAt - previous.at;
  const impliedKmh = kmh(metres, ms);
  const fix: Fix = {
    at: frame.recordedAt,
    receivedAt: frame.receivedAt,
    latitude,
    longitude,
    speedKmh,
    accuracyM: frame.accuracy_m,
    ignition: frame.ignition,
    odometerKm: frame.odometer_km,
    motion: speedKmh === null ? motionAlong(follows ? trail : noTrail, frame.recordedAt, place) : motionAt(speedKmh),
    driverId: frame.driver_id,
    isWired: frame.ignition === true ? true : previous?.isWired,
  };
  if (!follows) {
    const { check: speedCheck } = checked(check, null, fix);
    return { frame, verdict, fix, previous, leg: null, isRepeated: false, speedCheck, frozen: null };
  }
  const isRepeated = isFrozen(previous, frame);
  const passed = isRepeated ? { check, excessMm: 0, straightPair: null } : checked(check, previous, fix);
  const { check: speedCheck, excessMm, straightPair } = passed;
  const areSpeedsTrusted = areTrusted(check);
  const frozenMm = frozen === null ? null : frozen.mm + frozenMmTo(frozen, fix.at, speedKmh);
  const byPlaces = speedKmh === null ? speedAlong(trail, frame.recordedAt, place) : null;
  const leg: Leg = {
    from: previous,
    to: fix,
    metres,
    ms,
    impliedKmh,
    areSpeedsTrusted,
    straightPair,
    excessMm,
    frozenMm,
    byPlaces,
  };
  const nowFrozen = isRepeated ? frozenAfter(frozen ?? { ...previous, mm: 0 }, frame) : null;
  return { frame, verdict, fix, previous, leg, isRepeated, speedCheck, frozen: nowFrozen };
}

/** A speed at which a place is repeated is not believed there: it counts only once the vehicle is elsewhere. */
function frozenAfter(before: Frozen, { recordedAt: at, speed_kmh: speedKmh }: Frame): Frozen {
  return { at, speedKmh, mm: before.mm + frozenMmTo(before, at, speedKmh) };
}

function frozenMmTo({ at: from, speedKmh: fromKmh }: Frozen, at: number, toKmh: number | null): number {
  const ends = { from: { at: from, speedKmh: fromKmh ?? toKmh }, to: { at, speedKmh: toKmh ?? fromKmh } };
  return speedMmBetween(ends.from, ends.to) ?? 0;
}

/** What the next leg is from. */
export function nextPrevious({ fix, previous, isRepeated }: Sighting): Fix | null {
  return isRepeated ? previous : (fix ?? previous);
}

/** The trail after a frame: of a tracker that reports no speed, since the last discontinuity. */
export function nextTrail(trail: Trail, { fix, leg, isRepeated }: Sighting): Trail {
  if (fix === null || isRepeated) return trail;
  if (fix.speedKmh !== null) return noTrail;
  return trailAfter(leg === null ? noTrail : trail, fix.at, fix);
}

/** The speed that a distance implies; infinite between two places at one moment. */
export function kmh(metres: number, ms: number): number {
  if (metres === 0) return 0;
  return (metres / ms) * 3600;
}

interface LastSeen {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speedKmh: number | null;
}

/** Where the vehicle is after a frame, and how fast by this frame: the last known place if it has none. */
export function lastSeenIn({ fix, previous }: Sighting): LastSeen {
  const place = fix ?? previous;
  return {
    latitude: withoutSignOfZero(place?.latitude ?? null),
    longitude: withoutSignOfZero(place?.longitude ?? null),
    speedKmh: withoutSignOfZero(fix?.speedKmh ?? null),
  };
}

/** JSON has no -0, and a state must survive a round trip through JSON. */
export function withoutSignOfZero(value: number | null): number | null {
  return value === null ? null : value + 0;
}
