import type { Place } from "../../domain/geometry/distance.ts";
import type { CardCrew } from "../fleet/crews.ts";
import type { Vehicle } from "../fleet/roster.ts";
import { MotionReader } from "../motion/motion.ts";
import { RouteReader } from "../motion/route-reader.ts";
import type { Drive, Stay, Timeline } from "../motion/timeline.ts";
import { minuteMs } from "../plan/calendar.ts";
import type { Random } from "../random.ts";
import type { Network } from "../region/network.ts";

/** The true state of a vehicle when its tracker records a frame. */
export interface Moment {
  readonly at: number;
  latitude: number;
  longitude: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly ignition: boolean;
  readonly isDriving: boolean;
  readonly isInTunnel: boolean;
  /** Driven since the day began. */
  readonly metres: number;
  readonly fuelL: number;
  /** If the engine was started at this moment, how long the vehicle had stood; 0 otherwise. */
  readonly startedAfterMs: number;
}

export interface DayOfTracker {
  readonly seed: number;
  readonly vehicle: Vehicle;
  readonly imei: string;
  readonly timeline: Timeline;
  readonly metresDriven: number;
  readonly network: Network;
  readonly firstDayAt: number;
  /** Null: its tracker reads no cards. */
  readonly crew: CardCrew | null;
}

/** A turn sharper than this is sent at once, so that the track follows the road. */
const turnDeg = 24;
/** A turn is noticed once it is over. */
const behindTurnMetres = 6;
const minSecondsApart = 2;

/** Trackers that do not know the ignition fall asleep some minutes after the last movement. */
const wakefulMs: readonly number[] = [60_000, 120_000, 180_000, 240_000];

/** The moments of a day at which a tracker records a frame, in order, each in its own second. */
export function takeMoments(timeline: Timeline, vehicle: Vehicle, network: Network, random: Random): Moment[] {
  const moments: Moment[] = [];
  let last = timeline.beginsAt;
  const take = (moment: Moment) => {
    if (moment.at <= last || moment.at >= timeline.endsAt - 15_000) return;
    last = moment.at;
    moments.push(moment);
  };
  for (const activity of timeline.activities) {
    if (activity.kind === "drive") takeDrive(activity, timeline.litresPerMetre, vehicle, take);
    else takeStay(activity, timeline, vehicle, network.places[activity.node] as Place, random, take);
  }
  return moments;
}

/** In whole seconds: the first that is not before. */
function secondAfter(at: number): number {
  return Math.ceil(at / 1000) * 1000;
}

function takeDrive(drive: Drive, litresPerMetre: number, vehicle: Vehicle, take: (moment: Moment) => void): void {
  const { startsAt, endsAt, motion, isTowed } = drive;
  const road = new RouteReader(drive.route);
  const reader = new MotionReader(motion);
  const ahead = new MotionReader(motion);
  const stepMs = vehicle.intervalSeconds * 1000;
  const takeAt = (at: number) => {
    const seconds = (at - startsAt) / 1000;
    const metres = reader.wayAt(seconds);
    road.moveTo(metres);
    take({
      at,
      latitude: road.latitude,
      longitude: road.longitude,
      speedKmh: reader.speedAt(seconds) * 3.6,
      headingDeg: road.headingDeg,
      ignition: !isTowed,
      isDriving: true,
      isInTunnel: road.isInTunnel,
      metres: drive.metresBefore + (isTowed ? 0 : metres),
      fuelL: drive.fuelL - (isTowed ? 0 : metres * litresPerMetre),
      startedAfterMs: 0,
    });
  };
  let last = secondAfter(startsAt);
  let heading = road.headingDeg;
  while (last < endsAt) {
    let due = last + stepMs;
    const dueMetres = ahead.wayAt((due - startsAt) / 1000);
    // Whatever turn comes first on the way there is sent instead.
    while (road.segmentEnd + behindTurnMetres < dueMetres) {
      const vertex = road.segmentEnd;
      if (!road.nextSegment()) break;
      const turn = Math.abs(((road.headingDeg - heading + 540) % 360) - 180);
      if (turn < turnDeg) continue;
      const passedAt = secondAfter(startsAt + reader.timeAt(vertex + behindTurnMetres) * 1000);
      due = Math.min(due, Math.max(passedAt, last + minSecondsApart * 1000));
      break;
    }
    if (due >= endsAt) break;
    takeAt(due);
    heading = road.headingDeg;
    last = due;
  }
  takeAt(secondAfter(endsAt));
}

function takeStay(
  stay: Stay,
  timeline: Timeline,
  vehicle: Vehicle,
  place: Place,
  random: Random,
  take: (moment: Moment) => void,
): void {
  const { from, until, offAt, onAt, fuelL, metresBefore: metres, idleLitresPerMs } = stay;
  const takeAt = (at: number, ignition: boolean, startedAfterMs = 0) =>
    take({
      at,
      latitude: place.latitude,
      longitude: place.longitude,
      speedKmh: 0,
      headingDeg: 0,
      ignition,
      isDriving: false,
      isInTunnel: false,
      metres,
      fuelL: fuelL - idleLitresPerMs * (Math.min(at, offAt) - from) + changedBy(stay, at),
      startedAfterMs,
    });
  const isFirst = from === timeline.beginsAt;
  // While the engine runs, every few minutes.
  for (let at = secondAfter(from) + 150_000; at < Math.min(offAt, until) - 20_000; at += 150_000) takeAt(at, true);
  if (offAt >= until) return;
  if (!isFirst && vehicle.knowsIgnition) takeAt(secondAfter(offAt), false);
  if (!isFirst && !vehicle.knowsIgnition) {
    for (const ms of wakefulMs) if (from + ms < onAt - 20_000) takeAt(secondAfter(from + ms), false);
  }
  const heartbeatMs = vehicle.heartbeatMinutes * minuteMs;
  const first = isFirst ? from + random.between(1, 5) * minuteMs : offAt + heartbeatMs;
  for (let at = secondAfter(first); at < onAt - 20_000; at += heartbeatMs) takeAt(at, false);
  if (onAt < until) takeAt(secondAfter(onAt), true, onAt - offAt);
}

function changedBy({ fuelChange }: Stay, at: number): number {
  if (fuelChange === null) return 0;
  const { litres, from, until } = fuelChange;
  return litres * Math.min(1, Math.max(0, (at - from) / (until - from)));
}
