import type { MapVehicle } from "./vehicle.ts";

/** What is drawn of a vehicle: if it is equal, nothing has changed. */
interface Mark {
  readonly longitude: number;
  readonly latitude: number;
  readonly properties: {
    readonly name: string;
    readonly motion: MapVehicle["motion"];
    readonly turn: number;
    /** Moving vehicles are drawn above those at rest. */
    readonly order: number;
  };
}

export type MarksById = ReadonlyMap<string, Mark>;

/** The difference between two drawings, in MapLibre's form. */
export interface MarkChanges {
  readonly remove: string[];
  readonly add: GeoJSON.Feature<GeoJSON.Point>[];
  readonly update: {
    readonly id: string;
    readonly newGeometry?: GeoJSON.Point;
    readonly addOrUpdateProperties: { readonly key: string; readonly value: unknown }[];
  }[];
}

const order = { offline: 0, stopped: 1, idling: 2, moving: 3 } as const;

export function toMarks(vehicles: readonly MapVehicle[]): MarksById {
  const marks = new Map<string, Mark>();
  for (const { id, position, motion } of vehicles) {
    const { latitude, longitude, heading_deg, name } = position;
    if (latitude === null || longitude === null) continue;
    const turn = motion === "moving" ? (heading_deg ?? 0) : 0;
    marks.set(id, { longitude, latitude, properties: { name, motion, turn, order: order[motion] } });
  }
  return marks;
}

/** Only changes go to the map: of thousands of vehicles most are at rest. Pure. */
export function markChanges(before: MarksById, after: MarksById): MarkChanges {
  const changes: MarkChanges = { remove: [], add: [], update: [] };
  for (const id of before.keys()) if (!after.has(id)) changes.remove.push(id);
  for (const [id, mark] of after) {
    const known = before.get(id);
    if (known === undefined) {
      changes.add.push(featureOf(id, mark));
      continue;
    }
    const addOrUpdateProperties = Object.entries(mark.properties)
      .filter(([key, value]) => value !== known.properties[key as keyof Mark["properties"]])
      .map(([key, value]) => ({ key, value }));
    const hasMoved = mark.longitude !== known.longitude || mark.latitude !== known.latitude;
    if (hasMoved) changes.update.push({ id, newGeometry: pointOf(mark), addOrUpdateProperties });
    else if (addOrUpdateProperties.length > 0) changes.update.push({ id, addOrUpdateProperties });
  }
  return changes;
}

export function featureOf(id: string, mark: Mark): GeoJSON.Feature<GeoJSON.Point> {
  return { type: "Feature", id, properties: { id, ...mark.properties }, geometry: pointOf(mark) };
}

export function isNothing({ remove, add, update }: MarkChanges): boolean {
  return remove.length + add.length + update.length === 0;
}

function pointOf({ longitude, latitude }: Mark): GeoJSON.Point {
  return { type: "Point", coordinates: [longitude, latitude] };
}
