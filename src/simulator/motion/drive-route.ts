import type { Vehicle } from "../fleet/roster.ts";
import { dayTypeOf, hourMs, isNight, localOffsetMs, rushAt } from "../plan/calendar.ts";
import type { Random } from "../random.ts";
import type { Network, Road } from "../region/network.ts";
import type { RoadKindName } from "../region/road-kinds.ts";
import { headingBetween } from "../region/shape.ts";
import type { MotionState } from "./motion.ts";

/** How hard anybody brakes, in m/s². */
const down = 1.5;
const kmh = 1 / 3.6;

/** In a city there is a light or a crossing about this often, elsewhere a change of pace. */
const cityPieceMetres = 800;
const otherPieceMetres = 2_500;

/** A piece of the way, the speed at its end, and the wait there. */
interface Piece {
  readonly metres: number;
  readonly cruise: number;
  leaveWith: number;
  readonly waitSeconds: number;
}

/** How a way is driven from one stop to the next: limits, traffic of the hour, lights, turns, and the driver's own pace. */
export function driveRoute(
  route: readonly Road[],
  vehicle: Vehicle,
  startsAt: number,
  network: Network,
  random: Random,
): MotionState {
  const localHour = (((startsAt + localOffsetMs(startsAt)) / hourMs) % 24) + 0.2;
  const rush = rushAt(localHour, dayTypeOf(Math.floor(startsAt / (24 * hourMs))));
  const lightFactor = isNight(localHour) ? 0.4 : 1 + 0.5 * rush;
  const { kind, driverFactor, quirk } = vehicle;
  const cap = kind.capKmh ?? 170;
  const pieces: Piece[] = [];
  for (const [index, road] of route.entries()) {
    const next = route[index + 1] ?? null;
    const isCity = road.kindName === "arterial" || road.kindName === "street";
    const count = Math.max(1, Math.round(road.lengthMetres / (isCity ? cityPieceMetres : otherPieceMetres)));
    const traffic = 1 - rush * (1 - road.kind.rushHour);
    const hurry = quirk === "speeds" && isFast(road.kindName) ? random.between(1.15, 1.32) : 1;
    for (let piece = 1; piece <= count; piece++) {
      const pace = road.kind.limitKmh * driverFactor * hurry * traffic * random.between(0.9, 1.06);
      const cruise = Math.max(8, Math.min(cap, pace)) * kmh;
      const isEnd = piece === count;
      const isLight = isEnd ? isJunction(network, road.to) && next !== null : isCity;
      const stops = isLight && random.chance(road.kind.redLights * lightFactor * (isEnd ? 1 : 0.5));
      const isJam = isFast(road.kindName) && rush > 0.6 && random.chance(0.05);
      const waitSeconds = stops ? random.between(6, 60) : isJam ? random.between(10, 50) : 0;
      const isLast = isEnd && next === null;
      const through = isEnd && next !== null ? turnSpeed(road, next) : Number.POSITIVE_INFINITY;
      const leaveWith = isLast || waitSeconds > 0 ? 0 : Math.min(cruise, through);
      pieces.push({ metres: road.lengthMetres / count, cruise, leaveWith, waitSeconds });
    }
  }
  return moveAlong(pieces, kind.accelerationMs2);
}

function isFast(kind: RoadKindName): boolean {
  return kind === "motorway" || kind === "urban-motorway";
}

/** There are no lights at driveways, only where streets meet. */
function isJunction({ roadsFrom }: Network, node: number): boolean {
  let streets = 0;
  for (const { kindName } of roadsFrom[node] ?? []) if (kindName !== "access") streets++;
  return streets >= 3;
}

function turnSpeed(road: Road, next: Road): number {
  const isRamp = isFast(road.kindName) && isFast(next.kindName);
  const end = road.latitudes.length - 1;
  const before = headingOf(road, end - 1);
  const turn = Math.abs(((headingOf(next, 0) - before + 540) % 360) - 180);
  const speedKmh = turn < 20 ? 200 : turn < 45 ? 45 : turn < 100 ? 22 : 12;
  return Math.max(speedKmh, isRamp ? 70 : 0) * kmh;
}

function headingOf({ latitudes, longitudes }: Road, index: number): number {
  const next = index + 1;
  return headingBetween(
    latitudes[index] as number,
    longitudes[index] as number,
    latitudes[next] as number,
    longitudes[next] as number,
  );
}

/** Joins the pieces: nobody brakes or accelerates harder than the vehicle can. */
function moveAlong(pieces: readonly Piece[], up: number): MotionState {
  for (let index = pieces.length - 1; index > 0; index--) {
    const { metres, leaveWith } = pieces[index] as Piece;
    const before = pieces[index - 1] as Piece;
    before.leaveWith = Math.min(before.leaveWith, Math.sqrt(leaveWith * leaveWith + 2 * down * metres));
    before.leaveWith = Math.min(before.leaveWith, (pieces[index] as Piece).cruise);
  }
  const stretches: Record<"times" | "ways" | "speeds" | "accelerations", number[]> = {
    times: [],
    ways: [],
    speeds: [],
    accelerations: [],
  };
  const motion = { ...stretches, seconds: 0, metres: 0 };
  const add = (speed: number, acceleration: number, seconds: number, metres: number) => {
    if (seconds <= 0) return;
    motion.times.push(motion.seconds);
    motion.ways.push(motion.metres);
    motion.speeds.push(speed);
    motion.accelerations.push(acceleration);
    motion.seconds += seconds;
    motion.metres += metres;
  };
  let from = 0;
  for (const { metres, cruise, leaveWith, waitSeconds } of pieces) {
    const to = Math.min(leaveWith, Math.sqrt(from * from + 2 * up * metres));
    // Accelerates to cruising speed, or as near as the stretch allows, and brakes.
    const highest = Math.sqrt((2 * up * down * metres + down * from * from + up * to * to) / (up + down));
    const top = Math.max(from, to, Math.min(cruise, highest));
    const upMetres = (top * top - from * from) / (2 * up);
    const downMetres = (top * top - to * to) / (2 * down);
    const evenMetres = Math.max(0, metres - upMetres - downMetres);
    add(from, up, (top - from) / up, upMetres);
    if (top > 0) add(top, 0, evenMetres / top, evenMetres);
    add(top, -down, (top - to) / down, downMetres);
    add(0, 0, waitSeconds, 0);
    from = to;
  }
  return motion;
}
