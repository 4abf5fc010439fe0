import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import path from "./towns.dat" with { type: "file" };

/**
 * The towns of the world as `scripts/pack-towns.ts` packs them: little-endian, to be read where it lies.
 *
 *     "TOWNS1\0\0", number of cells, bytes of towns        8 bytes, 2 × u32
 *     the cells that have towns, ascending                 u32 each: row × columns + column
 *     where the towns of each begin, and where all end     u32 each
 *     the towns of each, the largest first                 u16 north and u16 east in the cell, u8 size, u8 length, name
 *
 * The highest bit of the length marks a part of a town, such as a borough.
 */
export const townFile = {
  magic: "TOWNS1\0\0",
  headBytes: 16,
  cellDegrees: 0.5,
  columns: 720,
  /** Steps across a cell: 0.9 m at the equator. */
  steps: 65_536,
  townHeadBytes: 6,
  /** A size is a logarithm: a step is 9 %. 0: nobody knows how many people live there. */
  sizesPerDoubling: 8,
} as const;

export interface Town {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** How many people live there, to some percent; 0 if nobody knows. */
  readonly people: number;
  /** A part of a larger town. */
  readonly isPart: boolean;
}

/** A town whose name has not been read yet. */
export interface PackedTown extends Omit<Town, "name"> {
  readonly at: number;
}

const peopleOfSize = Float64Array.from({ length: 256 }, (_, size) =>
  size === 0 ? 0 : 2 ** (size / townFile.sizesPerDoubling),
);

const decoder = new TextDecoder();

/** The towns by cells of half a degree. 3 MB in memory, without an object for any of them. */
export class TownFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #cells: Uint32Array;
  readonly #starts: Uint32Array;

  constructor(buffer: ArrayBuffer) {
    const { magic, headBytes } = townFile;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
    if (decoder.decode(this.#bytes.subarray(0, magic.length)) !== magic) throw new Error("this is no file of towns");
    const count = this.#view.getUint32(magic.length, true);
    this.#cells = new Uint32Array(buffer, headBytes, count);
    this.#starts = new Uint32Array(buffer, headBytes + 4 * count, count + 1);
  }

  /** The towns of a cell of the grid with at least so many people, the largest first; columns go on round the world. */
  *inCell(row: number, column: number, leastPeople = 0): Generator<PackedTown> {
    const { columns, cellDegrees, steps, townHeadBytes } = townFile;
    const eastward = ((column % columns) + columns) % columns;
    const index = this.#indexOf(row * columns + eastward);
    if (index === -1) return;
    const [south, west] = [row * cellDegrees - 90, eastward * cellDegrees - 180];
    const end = this.#starts[index + 1] ?? 0;
    let at = this.#starts[index] ?? 0;
    while (at < end) {
      const length = this.#bytes[at + 5] ?? 0;
      const people = peopleOfSize[this.#bytes[at + 4] ?? 0] ?? 0;
      if (people < leastPeople) return;
      yield {
        at,
        latitude: south + (this.#view.getUint16(at, true) / steps) * cellDegrees,
        longitude: west + (this.#view.getUint16(at + 2, true) / steps) * cellDegrees,
        people,
        isPart: length > 127,
      };
      at += townHeadBytes + (length & 127);
    }
  }

  /** Those of all cells that the box touches. East may be beyond 180. */
  *inBox([west, south, east, north]: BoundingBox, leastPeople = 0): Generator<PackedTown> {
    const { cellDegrees } = townFile;
    const index = (degrees: number) => Math.floor(degrees / cellDegrees);
    const [firstColumn, lastColumn] = [index(west + 180), index(east + 180)];
    const last = Math.min(lastColumn, firstColumn + townFile.columns - 1);
    for (let row = Math.max(0, index(south + 90)); row <= Math.min(359, index(north + 90)); row++) {
      for (let column = firstColumn; column <= last; column++) yield* this.inCell(row, column, leastPeople);
    }
  }

  nameOf({ at }: PackedTown): string {
    const begin = at + townFile.townHeadBytes;
    return decoder.decode(this.#bytes.subarray(begin, begin + ((this.#bytes[at + 5] ?? 0) & 127)));
  }

  #indexOf(cell: number): number {
    let [low, high] = [0, this.#cells.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#cells[middle] ?? 0;
      if (found === cell) return middle;
      if (found < cell) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

let loading: Promise<TownFile> | null = null;

/** Read when a place is first asked for: a server whose portal nobody opens does not have it in memory. */
export function loadTowns(): Promise<TownFile> {
  loading ??= Bun.file(path)
    .arrayBuffer()
    .then((buffer) => new TownFile(buffer))
    .catch((cause) => {
      loading = null;
      throw cause;
    });
  return loading;
}
