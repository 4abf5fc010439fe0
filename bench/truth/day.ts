import { metresBetween } from "../../src/domain/geometry/distance.ts";
import type { Random } from "../../src/simulator/random.ts";
import type { TrueDrive } from "./drives.ts";
import { standing } from "./driving.ts";
import { Drift } from "./noise.ts";
import { heartbeatError, parked } from "./parking.ts";
import { thinned } from "./spoil.ts";
import { type Drive, readDrives } from "./traces.ts";
import { type Moment, moved } from "./track.ts";

/** What a tracker does while the vehicle is parked. */
export interface Rest {
  /** A frame every so often, or nothing. */
  readonly heartbeatMs: number | null;
  /** Whether it is woken by motion instead of by the ignition: some seconds late, and it sleeps a minute late. */
  readonly isWokenByMotion: boolean;
}

/** Parked before the first drive and after the last one. */
const besideMs = 30 * 60_000;

/** All that a tracker sends of some drives of one vehicle, and of the time between them. */
export function sentOf(drives: readonly TrueDrive[], stepMs: number, how: Rest, random: Random): Moment[] {
  const { heartbeatMs } = how;
  const sent: Moment[] = [];
  const rest = (from: number, until: number, at: Moment) => {
    const { latitude, longitude, metres } = at;
    const common = { place: { latitude, longitude }, error: heartbeatError, ignition: false, kmh: () => 0, metres };
    // Even a tracker that is silent then tells that the ignition went off.
    if (heartbeatMs === null) sent.push({ ...at, at: from, kmh: 0, ignition: false });
    else sent.push(...parked({ ...common, from, until, stepMs: heartbeatMs }, random));
  };
  const awake = drives.map((drive) => (how.isWokenByMotion ? wokenByMotion(drive, random) : drive.track));
  for (const [index, track] of awake.entries()) {
    const [first, last] = [track[0] as Moment, track.at(-1) as Moment];
    const parkedAt = drives[index]?.track[0] as Moment;
    if (index === 0) rest(first.at - besideMs, first.at, parkedAt);
    sent.push(...thinned(track, stepMs, 1000 * random.whole(0, Math.min(10, stepMs / 1000) - 1)));
    const next = awake[index + 1]?.[0]?.at ?? last.at + 2 * besideMs;
    rest(Math.max(last.at, sent.at(-1)?.at ?? 0) + 1000, next, last);
  }
  return sent;
}

/**
 * What a tracker sends that knows nothing but its clock: a frame every so often, whether it is driven or parked. Its beat
 * is a second or two off now and then.
 */
export function beatOf(drives: readonly TrueDrive[], stepMs: number, random: Random): Moment[] {
  const [east, north] = [new Drift(random, heartbeatError), new Drift(random, heartbeatError)];
  const first = drives[0]?.track[0]?.at ?? 0;
  const until = (drives.at(-1)?.track.at(-1)?.at ?? first) + 2 * stepMs;
  const sent: Moment[] = [];
  for (let beat = first - 2 * stepMs; beat < until; beat += stepMs) {
    const at = beat + 1000 * random.whole(-2, 2);
    const own = drives.findLast(({ track }) => (track[0]?.at ?? at) <= at) ?? (drives[0] as TrueDrive);
    const moment = own.track[Math.round((at - (own.track[0]?.at ?? at)) / 1000)];
    const place = (at < first ? own.track[0] : own.track.at(-1)) as Moment;
    if (moment !== undefined) sent.push({ ...moment, at });
    else sent.push({ ...moved(place, east.next(at), north.next(at)), at, kmh: 0, ignition: false });
  }
  return sent;
}

/** The part of a drive that a tracker without a wire to the ignition sends: its acceleration sensor wakes it. */
function wokenByMotion({ track, movedFrom, movedUntil }: TrueDrive, random: Random): Moment[] {
  const from = movedFrom + Math.min(1000 * random.whole(3, 25), 0.15 * (movedUntil - movedFrom));
  const until = movedUntil + 60_000;
  const awake = track.filter(({ at }) => at >= from && at <= until);
  const last = awake.at(-1) as Moment;
  return [...awake, ...standing(last, last.at + 1000, until)];
}

/** The drives in ../shared/data as drives whose truth is known: by the speeds that the car reported. */
export function recordedDrives(): readonly TrueDrive[] | null {
  return readDrives()?.map(trueDrive) ?? null;
}

/** Within this of its end a drive may as well have ended: a car park, a yard. */
const endMetres = 50;

function trueDrive({ name, track }: Drive): TrueDrive {
  const [first, last] = [track[0] as Moment, track.at(-1) as Moment];
  const leftAt = track.findIndex((moment) => metresBetween(first, moment) > endMetres);
  const cameAt = track.findLastIndex((moment) => metresBetween(last, moment) > endMetres) + 1;
  const [from, until] = [track[Math.max(0, leftAt - 1)] ?? first, track[cameAt] ?? last];
  return { name: `drive ${name}`, track, movedFrom: from.at, movedUntil: until.at };
}
