import type { Place } from "../../src/domain/geometry/distance.ts";
import type { Random } from "../../src/simulator/random.ts";
import { driven, standing } from "./driving.ts";
import { seenFromVehicle } from "./noise.ts";
import { layWay, type Part } from "./roads.ts";
import { begin, home, type Moment, type Track } from "./track.ts";

/** A drive as it was, for comparison with the trips found. */
export interface TrueDrive {
  readonly name: string;
  /** A moment a second, from the ignition on to the ignition off. */
  readonly track: Track;
  /** When the wheels first turned, and when they last did. */
  readonly movedFrom: number;
  readonly movedUntil: number;
}

/** Ways of everyday: through a town, mostly over land or on a motorway, into a town. */
function partsOf(random: Random, isWithStand: boolean): Part[] {
  const start: Part = { kind: "city grid", metres: random.between(500, 3000) };
  const end: Part = { kind: "city grid", metres: random.between(500, 2500) };
  const middle: Part = random.pick<Part>([
    { kind: "city grid", metres: random.between(500, 3000) },
    { kind: "country road", metres: random.between(3000, 20_000) },
    { kind: "country road", metres: random.between(2000, 8000) },
    { kind: "motorway", metres: random.between(10_000, 40_000) },
    { kind: "hairpins", metres: random.between(2000, 8000) },
  ]);
  // A level crossing, a passenger, a filling station.
  return isWithStand ? [{ ...start, standSeconds: random.between(240, 600) }, middle, end] : [start, middle, end];
}

function longParts(random: Random): Part[] {
  return [
    { kind: "city grid", metres: random.between(1000, 4000) },
    { kind: "country road", metres: random.between(5000, 30_000) },
    { kind: "motorway", metres: random.between(5000, 60_000) },
    { kind: "city grid", metres: random.between(1000, 4000) },
  ];
}

export interface Plan {
  readonly count: number;
  /** The numbers of the drives with a stand of four to ten minutes. */
  readonly standsIn?: readonly number[];
  /** Whether the tracker tells a little speed while the vehicle stands. */
  readonly wavers?: boolean;
  /** An hour or so each, instead of minutes. */
  readonly isLong?: boolean;
}

/** Drives of one vehicle, each from where the last one ended, with hours or minutes between them. */
export function generatedDrives(
  random: Random,
  { count, standsIn = [], wavers = false, isLong = false }: Plan,
): TrueDrive[] {
  const drives: TrueDrive[] = [];
  let place: Place = home;
  let at = begin;
  for (let index = 0; index < count; index++) {
    const parts = isLong ? longParts(random) : partsOf(random, standsIn.includes(index));
    const way = layWay(random, parts, place);
    const movedFrom = at + 1000 * random.whole(5, 60);
    const moving = driven(way, { from: movedFrom });
    const [first, last] = [moving[0] as Moment, moving.at(-1) as Moment];
    const offAt = last.at + 1000 * random.whole(5, 90);
    const whole = [...standing(first, at, movedFrom), ...moving, ...standing(last, last.at + 1000, offAt)];
    place = { latitude: last.latitude, longitude: last.longitude };
    drives.push({
      name: `generated ${index + 1}`,
      track: seenFromVehicle(whole, random, wavers),
      movedFrom,
      movedUntil: last.at,
    });
    at = offAt + 60_000 * random.whole(12, random.pick([40, 120, 480]));
  }
  return drives;
}
