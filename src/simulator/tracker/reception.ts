import type { Random } from "../random.ts";

const degreesPerMetre = 1 / 111_195;
const degreesPerMetreEast = degreesPerMetre / Math.cos((52.5 * Math.PI) / 180);

/** The share of an error that remains at the next fix. */
const lasting = 0.75;
const fresh = Math.sqrt(1 - lasting * lasting);

/** A receiver on the roof of a vehicle: some metres off, and slowly drifting, as real ones are. */
export class Reception {
  readonly #random: Random;
  /** Of the error in one direction. */
  readonly #spreadMetres: number;
  #north = 0;
  #east = 0;
  satellites = 10;
  hdop = 0.9;

  constructor(random: Random) {
    this.#random = random;
    this.#spreadMetres = random.between(2, 4.2);
  }

  /** The next fix: moves the error on. */
  next(): void {
    const spread = fresh * this.#spreadMetres;
    this.#north = lasting * this.#north + spread * this.#random.wobble();
    this.#east = lasting * this.#east + spread * this.#random.wobble();
    const luck = this.#random.next();
    this.satellites = 7 + Math.floor(luck * 8);
    this.hdop = Math.round(14 - luck * 8) / 10;
  }

  latitude(latitude: number): number {
    return latitude + this.#north * degreesPerMetre;
  }

  longitude(longitude: number): number {
    return longitude + this.#east * degreesPerMetreEast;
  }

  /** As the receiver estimates it. */
  get accuracyM(): number {
    return Math.round((this.#spreadMetres + this.hdop * 2) * 10) / 10;
  }
}
