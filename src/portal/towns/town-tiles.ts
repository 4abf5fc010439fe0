import { fromGeojsonVt } from "@maplibre/vt-pbf";
import { BoundedMap } from "../../domain/bounded-map.ts";
import { type BoundingBox, radiansPerDegree } from "../../domain/geometry/bounding-box.ts";
import { columnOf, rowOf } from "../tiles/coverage.ts";
import { loadTowns, type PackedTown, type TownFile } from "./town-file.ts";

/** The last zoom with tiles of its own: such a tile is at most 39 km wide and has all of its towns. */
export const maxTownZoom = 10;

const extent = 4096;
/** A step in a tile must not hold the names of a thousand villages. */
const maxTowns = 150;
/** How many people a town has that is in a tile of the zoom. */
const leastPeople = [1e6, 1e6, 1e6, 6e5, 3e5, 1e5, 5e4, 2e4, 5_000, 1_000, 0];
/** Parts of towns, and those whose size nobody knows, from here on. */
const allFromZoom = maxTownZoom;

/** Lines of longitude and latitude, to see distances by where there are no streets: how many to a degree. */
const gridLines = [
  { fromZoom: 8, perDegree: 10 },
  { fromZoom: 10, perDegree: 100 },
];

const maxCachedBytes = 8 * 1024 * 1024;
const cached = new BoundedMap<string, Uint8Array<ArrayBuffer>>({
  max: maxCachedBytes,
  weigh: (_, { length }) => length,
});

interface TileFeature {
  readonly type: 1 | 2;
  readonly geometry: readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[];
  readonly tags: Readonly<Record<string, string | number>>;
}

/** A vector tile of the towns there, and of a grid. At nearer zooms than `maxTownZoom` there is none. */
export async function townTile(z: number, x: number, y: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${z} ${x} ${y}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const towns = features(await loadTowns(), z, x, y);
  const layers = { towns: { features: towns }, grid: { features: grid(z, x, y) } };
  const gzip = Bun.gzipSync(Uint8Array.from(fromGeojsonVt(layers as never, { version: 2, extent })));
  cached.set(key, gzip);
  return gzip;
}

function features(towns: TownFile, z: number, x: number, y: number): TileFeature[] {
  const found: PackedTown[] = [];
  for (const town of towns.inBox(boxOf(z, x, y), leastPeople[z] ?? 0)) {
    const isDrawn = z >= allFromZoom || (town.people > 0 && !town.isPart);
    if (isDrawn && isWithin(place(town, z, x, y))) found.push(town);
  }
  const largest = found.sort((one, other) => other.people - one.people).slice(0, maxTowns);
  return largest.map((town) => ({
    type: 1,
    geometry: [place(town, z, x, y)],
    tags: { name: towns.nameOf(town), people: Math.round(town.people) },
  }));
}

/** In the steps of the tile. */
function place({ longitude, latitude }: { longitude: number; latitude: number }, z: number, x: number, y: number) {
  const size = 2 ** z;
  return [Math.round((columnOf(longitude) * size - x) * extent), Math.round((rowOf(latitude) * size - y) * extent)];
}

/** Each town is in one tile only, so that its name is drawn once. */
function isWithin([x = -1, y = -1]: readonly number[]): boolean {
  return x >= 0 && x < extent && y >= 0 && y < extent;
}

function boxOf(z: number, x: number, y: number): BoundingBox {
  const size = 2 ** z;
  const latitude = (row: number) => Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) / radiansPerDegree;
  const longitude = (column: number) => (column / size) * 360 - 180;
  return [longitude(x), latitude(y + 1), longitude(x + 1), latitude(y)];
}

function grid(z: number, x: number, y: number): TileFeature[] {
  const [west, south, east, north] = boxOf(z, x, y);
  return gridLines
    .filter(({ fromZoom }) => z >= fromZoom)
    .flatMap(({ perDegree }) => {
      const among = (from: number, to: number) => {
        const first = Math.ceil(from * perDegree);
        return Array.from({ length: Math.max(0, Math.floor(to * perDegree) - first + 1) }, (_, index) => first + index);
      };
      // Each is drawn by the coarsest grid that has it.
      const own = (step: number) => step % 10 !== 0;
      const line = (geometry: number[][]): TileFeature => ({
        type: 2,
        geometry: [geometry],
        tags: { grid: perDegree },
      });
      const meridians = among(west, east).filter(own);
      const parallels = among(south, north).filter(own);
      return [
        ...meridians.map((step) => {
          const [across = 0] = place({ longitude: step / perDegree, latitude: 0 }, z, x, y);
          return line([
            [across, 0],
            [across, extent],
          ]);
        }),
        ...parallels.map((step) => {
          const [, down = 0] = place({ longitude: 0, latitude: step / perDegree }, z, x, y);
          return line([
            [0, down],
            [extent, down],
          ]);
        }),
      ];
    });
}
