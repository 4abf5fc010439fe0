import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { BoundedMap } from "../../domain/bounded-map.ts";
import { columnOf, rowOf } from "./coverage.ts";
import type { MapTiles } from "./map-tiles.ts";

/** Farther away, a vehicle is on another road, or on none. */
const reachMetres = 50;
/** Nearer zooms have the same roads in more tiles. */
const maxUsefulZoom = 15;
/** Some 20 MB: the tiles of a large town. */
const maxCachedNumbers = 2_000_000;
const equatorMetres = 40_075_017;

/** What no vehicle of a fleet drives on. */
const otherWays: ReadonlySet<unknown> = new Set(["rail", "ferry", "path", "aeroway", "pier"]);

/** A road of a tile, in steps of the tile: x, y, x, y, … */
interface NamedLine {
  readonly name: string;
  readonly points: readonly number[];
}

interface NamedLines {
  readonly lines: readonly NamedLine[];
  /** Steps from one edge of the tile to the other. */
  readonly extent: number;
}

const noLines: NamedLines = { lines: [], extent: 1 };

/** Names places by the streets that the map draws: the nearest road with a name within 50 m. */
export class StreetNames {
  readonly #tiles: MapTiles;
  readonly #cached = new BoundedMap<string, NamedLines>({
    max: maxCachedNumbers,
    weigh: (_, { lines }) => lines.reduce((sum, { points }) => sum + points.length + 20, 100),
  });

  constructor(tiles: MapTiles) {
    this.#tiles = tiles;
  }

  /** Null: no such road is near, or the tiles cannot be read. */
  async nearest(latitude: number, longitude: number): Promise<string | null> {
    const described = await this.#tiles.describe();
    if (described === null) return null;
    const across = equatorMetres * Math.cos((latitude * Math.PI) / 180);
    const [x, y, reach] = [columnOf(longitude), rowOf(latitude), reachMetres / across];
    let nearest: { readonly name: string; readonly metres: number } | null = null;
    for (const tile of await this.#around(x, y, reach, described.maxZoom, described.version)) {
      const step = tile.lines.extent * 2 ** tile.z;
      const place = [x * step - tile.column * tile.lines.extent, y * step - tile.row * tile.lines.extent] as const;
      for (const { name, points } of tile.lines.lines) {
        const metres = (stepsToLine(points, ...place) / step) * across;
        if (metres <= reachMetres && (nearest === null || metres < nearest.metres)) nearest = { name, metres };
      }
    }
    return nearest?.name ?? null;
  }

  /** The tile that a place is in, and those whose edge is near. Where an archive ends at a smaller zoom, those of that zoom. */
  async #around(x: number, y: number, reach: number, maxZoom: number, version: string) {
    for (let z = Math.min(maxZoom, maxUsefulZoom); z >= 0; z--) {
      const size = 2 ** z;
      const wanted = new Map<string, readonly [number, number]>();
      for (const dx of [-reach, reach]) {
        for (const dy of [-reach, reach]) {
          const column = (Math.floor((x + dx) * size) + size) % size;
          const row = Math.max(0, Math.min(size - 1, Math.floor((y + dy) * size)));
          wanted.set(`${column} ${row}`, [column, row]);
        }
      }
      const found = [];
      for (const [column, row] of wanted.values()) {
        const lines = await this.#linesOf(z, column, row, version);
        if (lines !== "coarser") found.push({ z, column, row, lines });
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  async #linesOf(z: number, column: number, row: number, version: string): Promise<NamedLines | "coarser"> {
    const key = `${version} ${z} ${column} ${row}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const found = await this.#tiles.tile(z, column, row, false);
    if (found.outcome === "coarser") return "coarser";
    if (found.outcome === "unusable") return noLines;
    const lines = found.outcome === "tile" ? namedLines(found.tile.bytes) : noLines;
    this.#cached.set(key, lines);
    return lines;
  }
}

/** A tile that cannot be read names nothing: the page that draws it sees that it is damaged. */
function namedLines(bytes: Uint8Array): NamedLines {
  try {
    const { roads } = new VectorTile(new PbfReader(bytes)).layers;
    if (roads === undefined) return noLines;
    const lines: NamedLine[] = [];
    for (let index = 0; index < roads.length; index++) {
      const feature = roads.feature(index);
      const { name, ref, kind } = feature.properties;
      const text = [name, ref].find((value) => typeof value === "string" && value !== "");
      if (feature.type !== 2 || typeof text !== "string" || otherWays.has(kind)) continue;
      for (const line of feature.loadGeometry()) lines.push({ name: text, points: line.flatMap(({ x, y }) => [x, y]) });
    }
    return { lines, extent: roads.extent };
  } catch {
    return noLines;
  }
}

function stepsToLine(points: readonly number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index + 3 < points.length; index += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = points.slice(index, index + 4);
    const [dx, dy] = [toX - fromX, toY - fromY];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / length));
    least = Math.min(least, Math.hypot(fromX + share * dx - x, fromY + share * dy - y));
  }
  return least;
}
