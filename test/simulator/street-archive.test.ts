import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { spelled } from "../../src/simulator/map/settlements.ts";
import { streetArchive } from "../../src/simulator/map/street-archive.ts";
import { createRegion } from "../../src/simulator/region/places.ts";
import { placesOf } from "../../src/simulator/region/shape.ts";
import { scratchFolder } from "../support/street-tiles.ts";

const seed = 7;
const maxZoom = 13;
let folder = "";
let tiles: MapTiles;
const archive = streetArchive(seed);

beforeAll(async () => {
  folder = await scratchFolder();
  const path = join(folder, "streets.pmtiles");
  await writeFile(path, archive);
  tiles = new MapTiles(path, () => {});
});

afterAll(async () => {
  await tiles.close();
  await rm(folder, { recursive: true, force: true });
});

interface Placed {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where a place is on the square map, from 0 to 1. */
function onMap({ latitude, longitude }: Placed): readonly [number, number] {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

const parsedTiles = new Map<string, Promise<VectorTile>>();

function tileAt(place: Placed, z: number): Promise<VectorTile> {
  const [x, y] = onMap(place).map((share) => Math.floor(share * 2 ** z)) as [number, number];
  const key = `${z}/${x}/${y}`;
  const tile = parsedTiles.get(key) ?? readTile(z, x, y);
  parsedTiles.set(key, tile);
  return tile;
}

async function readTile(z: number, x: number, y: number): Promise<VectorTile> {
  const found = await tiles.tile(z, x, y);
  if (found.outcome !== "tile") throw new Error(`no tile at ${z}/${x}/${y}`);
  return new VectorTile(new PbfReader(Bun.gunzipSync(found.tile.bytes)));
}

/** Metres from the place to the nearest line of the layer in its tile. */
async function metresToRoad(place: Placed): Promise<number> {
  const { roads } = (await tileAt(place, maxZoom)).layers;
  const [x, y] = onMap(place).map((share) => ((share * 2 ** maxZoom) % 1) * 4096) as [number, number];
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < (roads?.length ?? 0); index++) {
    for (const line of roads?.feature(index).loadGeometry() ?? []) {
      for (const [step, end] of line.entries()) {
        const begin = line[step - 1];
        if (begin) nearest = Math.min(nearest, distance(x, y, begin, end));
      }
    }
  }
  const metresPerStep = (40_075_017 * Math.cos((place.latitude * Math.PI) / 180)) / 2 ** maxZoom / 4096;
  return nearest * metresPerStep;
}

type Point = { readonly x: number; readonly y: number };

function distance(x: number, y: number, begin: Point, end: Point): number {
  const [across, down] = [end.x - begin.x, end.y - begin.y];
  const length = across ** 2 + down ** 2;
  const along = length === 0 ? 0 : ((x - begin.x) * across + (y - begin.y) * down) / length;
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(x - begin.x - part * across, y - begin.y - part * down);
}

describe("the demo's streets", () => {
  test("are the same for the same seed, and small", () => {
    expect(Bun.hash(streetArchive(seed))).toBe(Bun.hash(archive));
    expect(Bun.hash(streetArchive(seed + 1))).not.toBe(Bun.hash(archive));
    expect(archive.byteLength).toBeLessThan(2_000_000);
  });

  test("lie under every road that is driven, and lead to every place where vehicles stop", async () => {
    const region = createRegion(seed);
    for (const { shape } of region.streets) {
      for (const place of placesOf(shape)) expect(await metresToRoad(place)).toBeLessThan(3);
    }
    for (const place of region.places) expect(await metresToRoad(place)).toBeLessThan(3);
  });

  test("are roads by kind, with names, in the layers of the Protomaps schema", async () => {
    const { layers } = await tileAt({ latitude: 52.462, longitude: 13.448 }, maxZoom);
    const depot = createRegion(seed).places.find(({ name }) => name === "North depot");
    const aroundDepot = Object.keys((await tileAt(depot ?? { latitude: 0, longitude: 0 }, maxZoom)).layers);
    expect(aroundDepot.sort()).toEqual(["buildings", "landuse", "places", "pois", "roads"]);
    const roads = Array.from(
      { length: layers.roads?.length ?? 0 },
      (_, index) => layers.roads?.feature(index).properties,
    );
    expect(new Set(roads.map((road) => road?.kind))).toEqual(new Set(["highway", "major_road", "minor_road"]));
    expect(roads.filter((road) => road?.is_tunnel).map((road) => road?.name)).toContain("A 100");
    expect(roads.map((road) => road?.name)).toContain("Hermannplatz – Neukölln Fork");
  });

  test("show less from afar: no side street at zoom 8, no town without a motorway at zoom 4", async () => {
    const berlin = { latitude: 52.52, longitude: 13.4 };
    const kinds = async (z: number, layer: string) => {
      const found = (await tileAt(berlin, z)).layers[layer];
      return new Set(Array.from({ length: found?.length ?? 0 }, (_, index) => found?.feature(index).properties.kind));
    };
    expect(await kinds(8, "roads")).toEqual(new Set(["highway", "major_road"]));
    expect(await kinds(4, "roads")).toEqual(new Set(["highway"]));
    expect(await kinds(4, "places")).toEqual(new Set(["locality"]));
  });

  test("name no one who had no part in them", async () => {
    const described = await tiles.describe();
    expect(described?.attribution).toBe("Streets: made up for the demo");
    expect(described?.maxZoom).toBe(maxZoom);
  });
});

test("names are spelled as people write them", () => {
  const names = ["koepenick", "nauen", "neukoelln-fork", "muehlenbeck", "turmstrasse", "spaethstrasse", "luebbenau"];
  expect(names.map(spelled)).toEqual([
    "Köpenick",
    "Nauen",
    "Neukölln Fork",
    "Mühlenbeck",
    "Turmstraße",
    "Späthstraße",
    "Lübbenau",
  ]);
});
