import type { Place } from "../../domain/geometry/distance.ts";
import { airport } from "../fleet/fences.ts";
import { mixed } from "../random.ts";
import type { Street } from "../region/network.ts";
import type { Region, StopPlace } from "../region/places.ts";
import type { RoadKindName } from "../region/road-kinds.ts";
import { placeAside, placesOf } from "../region/shape.ts";
import { builtUpAreas, settlementNames, settlementsOf, spelled } from "./settlements.ts";
import { sideStreets } from "./side-streets.ts";
import type { MapFeature, MapLayers } from "./slice-tiles.ts";

/** What each kind of road is in the Protomaps schema, and from which zoom on it is drawn. */
const roadProperties: Readonly<Record<RoadKindName, MapFeature["properties"]>> = {
  motorway: { kind: "highway", kind_detail: "motorway", min_zoom: 4 },
  "urban-motorway": { kind: "highway", kind_detail: "motorway", min_zoom: 6 },
  "motorway-tunnel": { kind: "highway", kind_detail: "motorway", is_tunnel: true, min_zoom: 6 },
  "city-tunnel": { kind: "major_road", kind_detail: "primary", is_tunnel: true, min_zoom: 10 },
  arterial: { kind: "major_road", kind_detail: "primary", min_zoom: 8 },
  country: { kind: "major_road", kind_detail: "secondary", min_zoom: 7 },
  street: { kind: "major_road", kind_detail: "tertiary", min_zoom: 10 },
  access: { kind: "minor_road", kind_detail: "service", min_zoom: 12 },
};

/** Everything that can be drawn of the region, by layer of the schema. */
export function regionLayers(region: Region): MapLayers {
  const settlements = settlementsOf(region.streets);
  const yards = region.places.filter(({ kind }) => kind !== "home");
  return {
    landuse: [...builtUpAreas(settlements), ...yards.map(yard), area(airport, { kind: "aerodrome", min_zoom: 9 })],
    buildings: yards.flatMap(halls),
    roads: [...sideStreets(settlements), ...region.streets.map(road), ...accessRoads(region)],
    pois: yards.filter(({ kind }) => kind !== "customer").map(knownPlace),
    places: settlementNames(settlements),
  };
}

function road({ kind, number, from, to, shape }: Street): MapFeature {
  const properties = {
    ...roadProperties[kind],
    name: number ?? `${spelled(from)} – ${spelled(to)}`,
    ...(number === null ? {} : { ref: number, shield_text: number }),
  };
  return { type: "Feature", properties, geometry: { type: "LineString", coordinates: placesOf(shape).map(corner) } };
}

/** Every road is there twice, once for each direction. */
function accessRoads({ network }: Region): MapFeature[] {
  return network.roadsFrom.flat().flatMap((road) => {
    if (road.kindName !== "access" || road.from > road.to) return [];
    const coordinates = placesOf(road).map(corner);
    return [{ type: "Feature", properties: roadProperties.access, geometry: { type: "LineString", coordinates } }];
  });
}

/** How far a yard reaches, in metres. Its bays are inside. */
const yardMetres: Readonly<Record<StopPlace["kind"], number>> = {
  depot: 130,
  terminal: 120,
  rest: 100,
  pound: 70,
  customer: 55,
  station: 35,
  home: 0,
};

function yard(place: StopPlace): MapFeature {
  return box(place, place, yardMetres[place.kind], 0.8, { kind: "industrial", min_zoom: 11 });
}

/** Beside the middle, where vehicles stand. */
function halls(place: StopPlace): MapFeature[] {
  const metres = yardMetres[place.kind];
  return [55, 235].map((bearing) => {
    const middle = placeAside(place, metres * 0.72, bearing + turnOf(place));
    return box(place, middle, metres * 0.24, 1.8, { kind: "building", min_zoom: 13 });
  });
}

/** Which way a place faces, in degrees: always the same. */
function turnOf({ node }: StopPlace): number {
  return mixed(node) % 90;
}

function box(
  of: StopPlace,
  middle: Place,
  metres: number,
  proportion: number,
  properties: MapFeature["properties"],
): MapFeature {
  const half = (Math.atan(proportion) * 180) / Math.PI;
  const turn = turnOf(of);
  const bearings = [half, 180 - half, 180 + half, 360 - half];
  const corners = bearings.map((bearing) => corner(placeAside(middle, metres, bearing + turn)));
  return area(corners, properties);
}

function area(corners: readonly (readonly [number, number])[], properties: MapFeature["properties"]): MapFeature {
  const ring = [...corners, corners[0] as readonly [number, number]].map(([longitude, latitude]) => [
    longitude,
    latitude,
  ]);
  return { type: "Feature", properties, geometry: { type: "Polygon", coordinates: [ring] } };
}

const poiKinds: Readonly<Partial<Record<StopPlace["kind"], string>>> = { station: "fuel", terminal: "station" };

function knownPlace(place: StopPlace): MapFeature {
  const { name, kind } = place;
  const properties = { kind: poiKinds[kind] ?? "depot", name, min_zoom: 12 };
  return { type: "Feature", properties, geometry: { type: "Point", coordinates: [...corner(place)] } };
}

function corner({ longitude, latitude }: Place): [number, number] {
  return [longitude, latitude];
}
