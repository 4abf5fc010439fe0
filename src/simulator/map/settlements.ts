import type { Place } from "../../domain/geometry/distance.ts";
import { mixed, Random } from "../random.ts";
import type { Street } from "../region/network.ts";
import { placeAside } from "../region/shape.ts";
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

const plainRank = 6;

/** The capital is no junction of its own. */
const capital: MapFeature = {
  type: "Feature",
  properties: { kind: "locality", kind_detail: "city", name: "Berlin", population_rank: 13, min_zoom: 4 },
  geometry: { type: "Point", coordinates: [13.405, 52.519] },
};

export interface Settlement {
  readonly name: string;
  readonly place: Place;
  readonly isQuarter: boolean;
  /** How far its built-up land reaches. */
  readonly radiusMetres: number;
}

const radiusMetres = { quarter: 2_000, town: 1_300, perRank: 250 };

const isNoSettlement = /-(exit|fork|cross|north|east|west|terminal)$/;
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
      if (isNoSettlement.test(name)) continue;
      const place = { latitude: shape.latitudes[index] as number, longitude: shape.longitudes[index] as number };
      const isQuarter = urbanKinds.includes(kind) || (found.get(name)?.isQuarter ?? false);
      found.set(name, { name, place, isQuarter, radiusMetres: radiusOf(name, isQuarter) });
    }
  }
  return [...found.values()];
}

function radiusOf(name: string, isQuarter: boolean): number {
  if (isQuarter) return radiusMetres.quarter;
  const [, rank] = cities[name] ?? [name, plainRank];
  return radiusMetres.town + (rank - plainRank) * radiusMetres.perRank;
}

export function settlementNames(settlements: readonly Settlement[]): MapFeature[] {
  const named = settlements.map(({ name, place: { longitude, latitude }, isQuarter }): MapFeature => {
    const [city, rank] = cities[name] ?? [spelled(name), plainRank];
    const properties = isQuarter
      ? { kind: "neighbourhood", kind_detail: "suburb", name: city, min_zoom: 11 }
      : { kind: "locality", kind_detail: "town", name: city, population_rank: rank, min_zoom: rank > 7 ? 6 : 8 };
    return { type: "Feature", properties, geometry: { type: "Point", coordinates: [longitude, latitude] } };
  });
  return [capital, ...named];
}

const corners = 48;

/** Built-up land around each of them, round and uneven. */
export function builtUpAreas(settlements: readonly Settlement[]): MapFeature[] {
  return settlements.map(({ name, place, radiusMetres }) => {
    const random = new Random(mixed(...new TextEncoder().encode(name)));
    const waves = [2, 3, 5].map((count) => ({ count, from: random.between(0, 2 * Math.PI) }));
    const ring = Array.from({ length: corners }, (_, index) => {
      const angle = (index * 2 * Math.PI) / corners;
      const wave = waves.reduce((sum, { count, from }) => sum + Math.sin(count * angle + from) / count, 0);
      const { longitude, latitude } = placeAside(place, radiusMetres * (1 + 0.12 * wave), (angle * 180) / Math.PI);
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

/** A junction's name as people write it. */
export function spelled(name: string): string {
  return name
    .replaceAll("ae", "ä")
    .replaceAll("oe", "ö")
    .replace(/(?<![ae])ue/g, "ü")
    .replaceAll("strasse", "straße")
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}
