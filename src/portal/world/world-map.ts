import type { BunPlugin } from "bun";
import type { MultiPolygon, Polygon, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { type PackedWorld, packWorld } from "../both-sides/packed-world.ts";

/** The file of coasts and borders, as its package has it. */
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

/** Converts the atlas while the page is bundled, so that no browser has to. The page then finds a `PackedWorld` at its address. */
export const worldMapPlugin: BunPlugin = {
  name: "world map",
  setup(build) {
    build.onLoad({ filter: /world-atlas\/countries-50m\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(worldMap(await Bun.file(path).json())),
      loader: "file",
    }));
  },
};

function worldMap(atlas: Atlas): PackedWorld {
  const pieces = feature(atlas, atlas.objects.land).features.map(({ geometry }) => geometry);
  const coordinates = pieces.flatMap((piece) => (piece.type === "MultiPolygon" ? piece.coordinates : []));
  const land = unbrokenLand({ type: "MultiPolygon", coordinates });
  const borders = mesh(atlas, atlas.objects.countries, (one, other) => one !== other);
  return packWorld(land, borders);
}

/** Where a ring steps from 180° to -180° or back. No coast has an edge this long. */
const maxStep = 180;

/**
 * The same land with rings that continue past 180°, as MapLibre needs them: it cuts at the antimeridian by itself. A ring that
 * jumps from 180° to -180° would be drawn across the whole world and fill the wrong side. Pure.
 */
export function unbrokenLand({ coordinates }: MultiPolygon): MultiPolygon {
  return { type: "MultiPolygon", coordinates: coordinates.map(unbrokenPolygon) };
}

function unbrokenPolygon(polygon: Polygon["coordinates"]): Polygon["coordinates"] {
  if (!polygon.some(hasJump)) return polygon;
  const [outer = [], ...holes] = polygon;
  const ring = nearTo(0, closed(unrolled(outer)));
  // A hole round the pole is beyond the edge of the map.
  const inner = holes.map(unrolled).filter((hole) => !goesRound(hole));
  return [ring, ...inner.map((hole) => nearTo(middle(ring), hole))];
}

function hasJump(ring: Position[]): boolean {
  return ring.some((_, index) => shiftAt(ring, index) !== 0);
}

/** The ring without a jump. It begins at the first jump, so that a ring round a pole ends at the map's edges. */
function unrolled(ring: Position[]): Position[] {
  const jump = ring.findIndex((_, index) => shiftAt(ring, index) !== 0);
  if (jump === -1) return ring;
  // The last point repeats the first.
  const fromJump = [...ring.slice(jump), ...ring.slice(1, jump + 1)];
  let shift = 0;
  return fromJump.map(([longitude = 0, latitude = 0], index) => {
    shift += shiftAt(fromJump, index);
    return [longitude + shift, latitude];
  });
}

/** What to add to the longitudes from this point on, so that they continue from the point before. */
function shiftAt(ring: Position[], index: number): number {
  if (index === 0) return 0;
  const step = (ring[index]?.[0] ?? 0) - (ring[index - 1]?.[0] ?? 0);
  if (Math.abs(step) <= maxStep) return 0;
  return step > 0 ? -360 : 360;
}

function goesRound(unrolledRing: Position[]): boolean {
  return Math.abs((unrolledRing.at(-1)?.[0] ?? 0) - (unrolledRing[0]?.[0] ?? 0)) > maxStep;
}

/** A ring round a pole is closed along the edge of the map, so that the pole is inside. */
function closed(unrolledRing: Position[]): Position[] {
  if (!goesRound(unrolledRing)) return unrolledRing;
  const [begin = [0, 0]] = unrolledRing;
  const end = unrolledRing.at(-1) ?? begin;
  const pole = (begin[1] ?? 0) < 0 ? -90 : 90;
  return [...unrolledRing, [end[0] ?? 0, pole], [begin[0] ?? 0, pole], begin];
}

/** The ring in the copy of the world where it is nearest to the longitude. */
function nearTo(longitude: number, ring: Position[]): Position[] {
  const shift = 360 * Math.round((longitude - middle(ring)) / 360);
  return shift === 0 ? ring : ring.map(([east = 0, north = 0]) => [east + shift, north]);
}

function middle(ring: Position[]): number {
  const longitudes = ring.map(([longitude = 0]) => longitude);
  return (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
}
