import type { Way } from "./roads.ts";
import type { Moment, Track } from "./track.ts";

/** How drivers accelerate and brake, in m/s². */
const accelerating = 1.5;
const braking = 2;

export interface Driven {
  readonly from: number;
  /** Every so many milliseconds. */
  readonly stepMs?: number;
  readonly ignition?: boolean | null;
}

/** The way as it is driven, from a stand to a stand: as fast as limits, bends and stops allow. */
export function driven(way: Way, { from, stepMs = 1000, ignition = true }: Driven): Moment[] {
  const speeds = speedsOn(way);
  const waits = new Map(way.stops.map(({ metre, seconds }) => [metre, seconds]));
  const track: Moment[] = [];
  const tell = (second: number, metre: number, part: number, mps: number) => {
    const here = way.places[metre];
    const next = way.places[metre + 1] ?? here;
    if (here === undefined || next === undefined) return;
    track.push({
      at: from + Math.round(second * 1000),
      latitude: here.latitude + part * (next.latitude - here.latitude),
      longitude: here.longitude + part * (next.longitude - here.longitude),
      kmh: mps * 3.6,
      metres: metre + part,
      ignition,
    });
  };
  const step = stepMs / 1000;
  let second = 0;
  let nextTold = 0;
  for (let metre = 0; metre + 1 < way.places.length; metre++) {
    const until = second + (waits.get(metre) ?? 0);
    for (; nextTold < until; nextTold += step) tell(nextTold, metre, 0, 0);
    second = until;
    const [slow, fast] = [speeds[metre] ?? 0, speeds[metre + 1] ?? 0];
    const takes = 2 / Math.max(0.1, slow + fast);
    for (; nextTold < second + takes; nextTold += step) {
      const part = (nextTold - second) / takes;
      tell(nextTold, metre, part, slow + part * (fast - slow));
    }
    second += takes;
  }
  tell(nextTold, way.places.length - 1, 0, 0);
  return track;
}

function speedsOn({ limits, stops }: Way): number[] {
  const speeds = [...limits];
  speeds[0] = 0;
  speeds[speeds.length - 1] = 0;
  for (const { metre } of stops) speeds[metre] = 0;
  for (let metre = 1; metre < speeds.length; metre++) {
    speeds[metre] = Math.min(speeds[metre] ?? 0, Math.sqrt((speeds[metre - 1] ?? 0) ** 2 + 2 * accelerating));
  }
  for (let metre = speeds.length - 2; metre >= 0; metre--) {
    speeds[metre] = Math.min(speeds[metre] ?? 0, Math.sqrt((speeds[metre + 1] ?? 0) ** 2 + 2 * braking));
  }
  return speeds;
}

/** The same vehicle, standing where the track ends (or begins) with the engine running. */
export function standing(at: Moment, from: number, until: number, ignition: boolean | null = at.ignition): Moment[] {
  const stand: Moment[] = [];
  for (let time = from; time < until; time += 1000) stand.push({ ...at, at: time, kmh: 0, ignition });
  return stand;
}

/** The track, and from its last place another way: time and metres go on. */
export function followedBy(before: Track, lay: (from: Moment) => Way, how: Omit<Driven, "from"> = {}): Moment[] {
  const last = before.at(-1) as Moment;
  const next = driven(lay(last), { ...how, from: last.at + 1000 });
  return [...before, ...next.map((moment) => ({ ...moment, metres: moment.metres + last.metres }))];
}
