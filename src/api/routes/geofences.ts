import { endOfGeofenceEvents, type GeofenceEventRow, geofenceEvents } from "../../store/facts/geofence-events.ts";
import { geofenceIds, geofences, type VisibleGeofenceRow } from "../../store/fleet/geofences.ts";
import type { TimeKey } from "../../store/pages.ts";
import { areaGeometry, type FeatureRules, ownGeometry, pointGeometry } from "../formats/geojson.ts";
import { geometryForm, geometryProblems } from "../input/geometry-form.ts";
import type { Input } from "../input/parameter.ts";
import { idList } from "../lists/id-list.ts";
import { rowsInSight } from "../lists/parts.ts";
import { windowedList } from "../lists/windowed-list.ts";
import { geofence } from "../records/geofence.ts";
import { geofenceEvent } from "../records/geofence-event.ts";
import type { Route } from "../route.ts";

/** A circle is its centre, with `radius_m` among the properties; a corridor its middle, with `width_m`. */
const geofenceFeature: FeatureRules = { idField: "geofence_id", geometryOf: ownGeometry, leftOut: ["geometry"] };
const geofenceArea: FeatureRules = { ...geofenceFeature, geometryOf: areaGeometry };

export const geofenceFormats = {
  geojson: geofenceFeature,
  geojsonOf: (input: Input) => (input.get(geometryForm) === "area" ? geofenceArea : geofenceFeature),
};

export const listGeofences: Route = idList<VisibleGeofenceRow>({
  path: "/geofences",
  operationId: "listGeofences",
  tag: "Geofences",
  summary: "List geofences",
  description: "The geofences that the key can see, in ascending id. A sub-account sees those of its own devices.",
  scope: "geofences:read",
  record: geofence,
  example: "/geofences",
  query: ({ database, visibility }, page, count) => geofences(database, visibility, { after: page.after, count }),
  ids: ({ database, visibility }, page, count) => geofenceIds(database, visibility, { after: page.after, count }),
  idOf: (row) => row.id,
  isLong: true,
  parameters: [geometryForm],
  problems: geometryProblems,
  formats: geofenceFormats,
});

export const listGeofenceEvents: Route = windowedList<GeofenceEventRow, TimeKey>({
  path: "/geofence-events",
  operationId: "listGeofenceEvents",
  tag: "Geofences",
  summary: "List geofence crossings",
  description: "Devices entering and leaving geofences, in ascending time. To react to them, follow `/changes`.",
  scope: "geofences:read",
  record: geofenceEvent,
  example: "/geofence-events?from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
  formats: { geojson: { idField: "event_id", geometryOf: pointGeometry } },
  query: (reader, visibility, page) =>
    rowsInSight(reader, visibility, page, { endOfPart: endOfGeofenceEvents, read: geofenceEvents }),
  keyOf: (row) => ({ at: row.occurred_at, id: row.id }),
});
