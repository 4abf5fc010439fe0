import { radiansPerDegree } from "../../../domain/geometry/bounding-box.ts";
import type { Geofence } from "../api/records.ts";

/** A fence that is all over the place is looked at always, rather than from thousands of cells. */
const maxCells = 400;
/** Shorter than any degree of latitude, so that no fence in reach is missed. */
const metresPerDegree = 110_000;
/** Nearer to a pole there are no roads, and degrees of longitude have no length. */
const smallestCosine = 0.02;

/** Which fences may be within reach of a place: those of one cell, found without looking at the others. Pure. */
export class FenceGrid {
  readonly #cellDegrees: number;
  readonly #columns: number;
  readonly #cells = new Map<number, Geofence[]>();
  readonly #wide: Geofence[] = [];

  constructor(fences: readonly Geofence[], cellDegrees: number, reachMetres: number) {
    this.#cellDegrees = cellDegrees;
    this.#columns = Math.round(360 / cellDegrees);
    for (const fence of fences) this.#add(fence, reachMetres / metresPerDegree);
  }

  *near(latitude: number, longitude: number): Iterable<Geofence> {
    yield* this.#cells.get(this.#cell(this.#index(latitude), this.#index(longitude))) ?? [];
    yield* this.#wide;
  }

  #add(fence: Geofence, reachDegrees: number): void {
    const [west = 0, south = 0, east = 0, north = 0] = fence.bbox;
    const farthest = Math.max(Math.abs(south), Math.abs(north)) + reachDegrees;
    const cosine = Math.max(smallestCosine, Math.cos(Math.min(90, farthest) * radiansPerDegree));
    const reachEast = reachDegrees / cosine;
    const rows = [this.#index(south - reachDegrees), this.#index(north + reachDegrees)] as const;
    // West is greater than east across the antimeridian.
    const columns = [
      this.#index(west - reachEast),
      this.#index((east < west ? east + 360 : east) + reachEast),
    ] as const;
    if ((rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) > maxCells) {
      this.#wide.push(fence);
      return;
    }
    for (let row = rows[0]; row <= rows[1]; row++) {
      for (let column = columns[0]; column <= columns[1]; column++) {
        const cell = this.#cell(row, column);
        const known = this.#cells.get(cell);
        if (known) known.push(fence);
        else this.#cells.set(cell, [fence]);
      }
    }
  }

  #index(degrees: number): number {
    return Math.floor(degrees / this.#cellDegrees);
  }

  #cell(row: number, column: number): number {
    const wrapped = ((column % this.#columns) + this.#columns) % this.#columns;
    return row * this.#columns + wrapped;
  }
}
