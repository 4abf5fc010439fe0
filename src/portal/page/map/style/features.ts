import type { Feature, FeatureCollection, GeoJsonProperties, Geometry } from "geojson";
import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";

export function feature<G extends Geometry>(geometry: G, properties: GeoJsonProperties = {}): Feature<G> {
  return { type: "Feature", properties, geometry };
}

export function pointFeature(coordinates: readonly number[], properties: GeoJsonProperties = {}) {
  return feature({ type: "Point", coordinates: [...coordinates] }, properties);
}

export function lineFeature(points: readonly (readonly number[])[], properties: GeoJsonProperties = {}) {
  return feature({ type: "LineString", coordinates: points.map((point) => [...point]) }, properties);
}

export function collection(features: readonly Feature[]): FeatureCollection {
  return { type: "FeatureCollection", features: [...features] };
}

export function showFeatures(map: GlMap, source: string, features: readonly Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData(collection(features));
}
