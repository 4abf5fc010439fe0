import type { Place } from "../../src/domain/geometry/distance.ts";
import type { Random } from "../../src/simulator/random.ts";
import { home, moved } from "./track.ts";

/** A way with a place and a speed limit for each of its metres. */
export interface Way {
  readonly places: readonly Place[];
  /** In m/s. */
  readonly limits: readonly number[];
  readonly stops: readonly { readonly metre: number; readonly seconds: number }[];
}

/** The sideways acceleration that drivers take in a bend, in m/s². */
const sideways = 2.2;

class Builder {
  readonly #random: Random;
  readonly #places: Place[];
  readonly #limits: number[] = [8];
  readonly #stops: { metre: number; seconds: number }[] = [];
  #heading: number;
  /** Where it leads to on the whole: real ways have a destination. */
  readonly #towards: number;
  /** How fast this driver is here, as a share of the limit. Changes slowly. */
  #pace = 0.95;

  constructor(random: Random, from: Place) {
    this.#random = random;
    this.#places = [from];
    this.#heading = random.between(0, 2 * Math.PI);
    this.#towards = this.#heading;
  }

  get metres(): number {
    return this.#places.length - 1;
  }

  /** Which way to turn (1: right), so that it comes to its destination: either, unless it already points away from it. */
  side(): number {
    const away = this.#heading - this.#towards;
    if (Math.abs(away) > Math.PI / 4) return -Math.sign(away);
    return this.#random.chance(0.5) ? 1 : -1;
  }

  straight(metres: number, limitKmh: number): void {
    this.#add(metres, limitKmh, 0);
  }

  bend(degrees: number, radius: number, limitKmh: number): void {
    const radians = (degrees * Math.PI) / 180;
    const bendKmh = Math.sqrt(sideways * radius) * 3.6;
    this.#add(Math.abs(radians) * radius, Math.min(limitKmh, bendKmh), Math.sign(degrees) / radius);
  }

  stop(seconds: number): void {
    this.#stops.push({ metre: this.metres, seconds });
  }

  #add(metres: number, limitKmh: number, turnPerMetre: number): void {
    for (let metre = 0; metre < Math.max(1, Math.round(metres)); metre++) {
      this.#pace += 0.002 * this.#random.wobble() - 0.002 * (this.#pace - 0.95);
      this.#heading += turnPerMetre;
      const last = this.#places.at(-1) ?? home;
      this.#places.push(moved(last, Math.sin(this.#heading), Math.cos(this.#heading)));
      this.#limits.push((limitKmh / 3.6) * Math.min(1.1, Math.max(0.7, this.#pace)));
    }
  }

  done(): Way {
    return { places: this.#places, limits: this.#limits, stops: this.#stops };
  }
}

type Lay = (builder: Builder, random: Random) => void;

const layMotorway: Lay = (way, random) => {
  const limit = random.chance(0.15) ? random.between(60, 90) : random.between(100, 130);
  way.straight(random.between(200, 1500), limit);
  way.bend(way.side() * random.between(5, 30), random.between(800, 3000), limit);
};

const layCountryRoad: Lay = (way, random) => {
  const limit = random.chance(0.25) ? 50 : random.between(70, 100);
  for (let part = 0; part < 4; part++) {
    way.straight(random.between(40, 500), limit);
    way.bend(way.side() * random.between(10, 90), random.between(50, 350), limit);
  }
  if (random.chance(0.5)) {
    way.straight(30, limit);
    if (random.chance(0.5)) way.stop(random.between(2, 20));
    way.bend(way.side() * 90, 12, limit);
  }
};

const layStreets: Lay = (way, random) => {
  const limit = random.pick([30, 50, 50]);
  way.straight(random.between(70, 240), limit);
  if (random.chance(0.4)) way.stop(random.between(4, 60));
  if (random.chance(0.4)) way.bend(way.side() * random.between(75, 105), 9, limit);
};

/** A pass: winding, with a pair of hairpins every kilometre or so. */
const layHairpins: Lay = (way, random) => {
  for (let part = 0; part < random.whole(4, 8); part++) {
    way.straight(random.between(30, 200), 60);
    way.bend(way.side() * random.between(20, 70), random.between(25, 120), 60);
  }
  const side = way.side();
  way.straight(random.between(40, 200), 60);
  way.bend(side * random.between(140, 180), random.between(9, 16), 60);
  way.straight(random.between(60, 250), 60);
  way.bend(-side * random.between(140, 180), random.between(9, 16), 60);
};

/** A bus in a city: a stop every few hundred metres, and lights. */
const layBusRoute: Lay = (way, random) => {
  way.straight(random.between(150, 400), 50);
  way.stop(random.between(8, 35));
  if (random.chance(0.3)) way.bend(way.side() * random.between(60, 100), 12, 40);
  if (random.chance(0.3)) {
    way.straight(random.between(40, 150), 50);
    way.stop(random.between(5, 70));
  }
};

export const roadKinds = {
  motorway: layMotorway,
  "country road": layCountryRoad,
  "city grid": layStreets,
  hairpins: layHairpins,
  "bus route": layBusRoute,
} satisfies Record<string, Lay>;

export type RoadKind = keyof typeof roadKinds;

export interface Part {
  readonly kind: RoadKind;
  readonly metres: number;
  /** It stands this long at the end of the part. */
  readonly standSeconds?: number;
}

/** Roads of these kinds, one after the other. */
export function layWay(random: Random, parts: readonly Part[], from = home): Way {
  const builder = new Builder(random, from);
  for (const { kind, metres, standSeconds = 0 } of parts) {
    const until = builder.metres + metres;
    while (builder.metres < until) roadKinds[kind](builder, random);
    if (standSeconds > 0) builder.stop(standSeconds);
  }
  return builder.done();
}

/** A line at one speed, for what is carried or creeps. */
export function layLine(random: Random, metres: number, kmh: number, from = home, bendsEvery = 800): Way {
  const builder = new Builder(random, from);
  while (builder.metres < metres) {
    builder.straight(random.between(0.5, 1.5) * bendsEvery, kmh);
    builder.bend(builder.side() * random.between(5, 30), 400, kmh);
  }
  return builder.done();
}

/** Stop and go: some metres, then a stand. */
export function layStopAndGo(random: Random, metres: number, kmh: number, from: Place): Way {
  const builder = new Builder(random, from);
  while (builder.metres < metres) {
    builder.straight(random.between(10, 60), 2.5 * kmh);
    // Half of the time it stands, which at two and a half times the speed makes it this slow on the whole.
    builder.stop(random.between(6, 30));
  }
  return builder.done();
}

/** Up and down a field. */
export function layField(random: Random, metres: number, kmh: number): Way {
  const builder = new Builder(random, home);
  const length = random.between(250, 500);
  for (let side = 1; builder.metres < metres; side = -side) {
    builder.straight(length, kmh);
    builder.bend(side * 180, 6, kmh);
  }
  return builder.done();
}

/** A bicycle in a town and its parks: slow, winding, with lights. */
export function layRide(random: Random, metres: number): Way {
  const builder = new Builder(random, home);
  while (builder.metres < metres) {
    const kmh = random.between(12, 25);
    builder.straight(random.between(20, 150), kmh);
    builder.bend(builder.side() * random.between(15, 110), random.between(4, 30), Math.min(kmh, 18));
    if (random.chance(0.1)) builder.stop(random.between(3, 60));
  }
  return builder.done();
}
