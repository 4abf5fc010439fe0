import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import { mixed, Random } from "../random.ts";
import type { Street } from "../region/network.ts";
import { placeAside } from "../region/shape.ts";
import { spelled } from "./road-names.ts";
import type { MapFeature } from "./slice-tiles.ts";

/** Towns that are more than a junction, with their rank by population in the Protomaps schema. */
const cities: Readonly<Record<string, readonly [name: string, rank: number]>> = {
  leipzig: ["Leipzig", 11],
  magdeburg: ["Magdeburg", 10],
  potsdam: ["Potsdam", 10],
  cottbus: ["Cottbus", 9],
  brandenburg: ["Brandenburg", 8],
  "frankfurt-oder": ["Frankfurt (Oder)", 8],
  kw: ["Königs Wusterhausen", 7],
};

/** The capital is no junction of its own. */
const capital: MapFeature = {
  type: "Feature",
  properties: { kind: "locality", kind_detail: "city", name: "Berlin", population_rank: 13, min_zoom: 4 },
  geometry: { type: "Point", coordinates: [13.405, 52.519] },
};

interface Settlement {
  readonly name: string;
  readonly place: Place;
  readonly isQuarter: boolean;
}

const urbanKinds: readonly Street["kind"][] = ["arterial", "street", "city-tunnel"];

/** Junctions where people live: quarters of the city where its streets meet, towns where country roads do. */
export function settlementsOf(streets: readonly Street[]): readonly Settlement[] {
  const found = new Map<string, Settlement>();
  for (const { kind, from, to, shape } of streets) {
    if (!urbanKinds.includes(kind) && kind !== "country") continue;
    for (const [name, index] of [
      [from, 0],
      [to, shape.latitudes.length - 1],
    ] as const) {
      if (/-(exit|fork|cross|north|east|west)$/.test(name)) continue;
      const place = { latitude: shape.latitudes[index] as number, longitude: shape.longitudes[index] as number };
      const isQuarter = urbanKinds.includes(kind) || (found.get(name)?.isQuarter ?? false);
      found.set(name, { name, place, isQuarter });
    }
  }
  return [...found.values()];
}

export function settlementNames(settlements: readonly Settlement[]): MapFeature[] {
  const named = settlements.map(({ name, place: { longitude, latitude }, isQuarter }): MapFeature => {
    const [city, rank] = cities[name] ?? [spelled(name), 6];
    const properties = isQuarter
      ? { kind: "neighbourhood", kind_detail: "suburb", name: city, min_zoom: 11 }
      : { kind: "locality", kind_detail: "town", name: city, population_rank: rank, min_zoom: rank > 7 ? 6 : 8 };
    return { type: "Feature", properties, geometry: { type: "Point", coordinates: [longitude, latitude] } };
  });
  return [capital, ...named];
}

/** Built-up land reaches this far from a junction. */
const radiusMetres = { quarter: 1_500, town: 1_300 };
const corners = 28;

/** Built-up land around each of them, round and uneven. */
export function builtUpAreas(settlements: readonly Settlement[]): MapFeature[] {
  return settlements.map(({ name, place, isQuarter }) => {
    const random = new Random(seedOf(name));
    const radius = isQuarter ? radiusMetres.quarter : radiusMetres.town;
    const ring = Array.from({ length: corners }, (_, index) => {
      const { longitude, latitude } = placeAside(place, radius * random.between(0.85, 1.15), (index * 360) / corners);
      return [longitude, latitude];
    });
    const coordinates = [[...ring, ring[0] as number[]]];
    return {
      type: "Feature",
      properties: { kind: "residential", min_zoom: 7 },
      geometry: { type: "Polygon", coordinates },
    };
  });
}

function seedOf(name: string): number {
  return mixed(...new TextEncoder().encode(name));
}

/** Whether a place is on built-up land, a little inside of its edge. */
export function isBuiltUp(settlements: readonly Settlement[], at: Place): boolean {
  return settlements.some(
    ({ place, isQuarter }) => metresBetween(place, at) < (isQuarter ? radiusMetres.quarter : radiusMetres.town) * 0.85,
  );
}
