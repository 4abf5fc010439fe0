import type { Vehicle } from "./vehicle.ts";

/** What is drawn of a vehicle, and so what a change is. */
interface Mark {
  readonly name: string;
  readonly motion: Vehicle["motion"];
  /** Where the arrow points. */
  readonly turn: number;
  readonly longitude: number;
  readonly latitude: number;
}

export type MarksById = ReadonlyMap<string, Mark>;

/** What differs between two pictures, as the map takes it. */
export interface MarkChanges {
  readonly remove: string[];
  readonly add: GeoJSON.Feature<GeoJSON.Point>[];
  readonly update: {
    readonly id: string;
    readonly newGeometry?: GeoJSON.Point;
    readonly addOrUpdateProperties: { readonly key: string; readonly value: unknown }[];
  }[];
}

/** What moves lies above what stands. */
const order = { offline: 0, stopped: 1, idling: 2, moving: 3 } as const;

export function toMarks(vehicles: readonly Vehicle[]): MarksById {
  const marks = new Map<string, Mark>();
  for (const { id, position, motion } of vehicles) {
    const { latitude, longitude, heading_deg, name } = position;
    if (latitude === null || longitude === null) continue;
    marks.set(id, { name, motion, turn: motion === "moving" ? (heading_deg ?? 0) : 0, longitude, latitude });
  }
  return marks;
}

/** Only what has changed is handed to the map: of thousands of vehicles most stand. Pure. */
export function markChanges(before: MarksById, after: MarksById): MarkChanges {
  const changes: MarkChanges = { remove: [], add: [], update: [] };
  for (const id of before.keys()) if (!after.has(id)) changes.remove.push(id);
  for (const [id, mark] of after) {
    const known = before.get(id);
    if (known === undefined) {
      changes.add.push({ type: "Feature", id, properties: propertiesOf(id, mark), geometry: pointOf(mark) });
      continue;
    }
    const properties = Object.entries(propertiesOf(id, mark));
    const old = propertiesOf(id, known);
    const changed = properties.filter(([key, value]) => value !== old[key]);
    const hasMoved = mark.longitude !== known.longitude || mark.latitude !== known.latitude;
    if (changed.length === 0 && !hasMoved) continue;
    const addOrUpdateProperties = changed.map(([key, value]) => ({ key, value }));
    changes.update.push({ id, ...(hasMoved && { newGeometry: pointOf(mark) }), addOrUpdateProperties });
  }
  return changes;
}

export function isNothing({ remove, add, update }: MarkChanges): boolean {
  return remove.length + add.length + update.length === 0;
}

function propertiesOf(id: string, { name, motion, turn }: Mark): Record<string, unknown> {
  return { id, name, motion, turn, order: order[motion] };
}

function pointOf({ longitude, latitude }: Mark): GeoJSON.Point {
  return { type: "Point", coordinates: [longitude, latitude] };
}
