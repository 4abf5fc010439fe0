import type { Road } from "../region/network.ts";
import { headingBetween } from "../region/shape.ts";

/** Reads a route from start to end. Distances that are passed in must never go back. */
export class RouteReader {
  readonly #route: readonly Road[];
  #index = 0;
  #road: Road;
  /** Where the road begins on the route. */
  #roadStart = 0;
  /** The shape point that ends the present segment. */
  #point = 1;
  latitude = 0;
  longitude = 0;

  constructor(route: readonly Road[]) {
    const [road] = route;
    if (road === undefined) throw new Error("a route has a road at least");
    this.#route = route;
    this.#road = road;
    this.moveTo(0);
  }

  get isInTunnel(): boolean {
    return this.#road.kind.isTunnel;
  }

  /** Goes to a way, and sets where that is. */
  moveTo(metres: number): void {
    while (metres > this.segmentEnd && this.nextSegment());
    const { latitudes, longitudes, metres: ways } = this.#road;
    const point = this.#point;
    const begin = ways[point - 1] as number;
    const length = (ways[point] as number) - begin;
    const part = length > 0 ? Math.min(1, Math.max(0, (metres - this.#roadStart - begin) / length)) : 1;
    const latitude = latitudes[point - 1] as number;
    const longitude = longitudes[point - 1] as number;
    this.latitude = latitude + ((latitudes[point] as number) - latitude) * part;
    this.longitude = longitude + ((longitudes[point] as number) - longitude) * part;
  }

  /** The way at which the present segment ends. */
  get segmentEnd(): number {
    return this.#roadStart + (this.#road.metres[this.#point] as number);
  }

  /** Goes on to the next segment; false at the end of the route. */
  nextSegment(): boolean {
    if (this.#point + 1 < this.#road.metres.length) this.#point++;
    else {
      const next = this.#route[this.#index + 1];
      if (next === undefined) return false;
      this.#roadStart += this.#road.lengthMetres;
      this.#index++;
      this.#road = next;
      this.#point = 1;
    }
    return true;
  }

  get headingDeg(): number {
    const { latitudes, longitudes } = this.#road;
    const point = this.#point;
    return headingBetween(
      latitudes[point - 1] as number,
      longitudes[point - 1] as number,
      latitudes[point] as number,
      longitudes[point] as number,
    );
  }
}
