import type { Vehicle } from "./vehicle.ts";

/** What is drawn of a vehicle: if it is equal, nothing has changed. */
interface Mark {
  readonly name: string;
  readonly motion: Vehicle["motion"];
  /** Where the arrow points. */
  readonly turn: number;
  readonly longitude: number;
  readonly latitude: number;
}

export type MarksById = ReadonlyMap<string, Mark>;

interface Property {
  readonly key: string;
  readonly value: unknown;
}

/** The difference between two drawings, in MapLibre's form. */
export interface MarkChanges {
  readonly remove: string[];
  readonly add: GeoJSON.Feature<GeoJSON.Point>[];
  readonly update: {
    readonly id: string;
    readonly newGeometry?: GeoJSON.Point;
    readonly addOrUpdateProperties: Property[];
  }[];
}

/** Moving vehicles are drawn above those at rest. */
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
    const hasMoved = mark.longitude !== known.longitude || mark.latitude !== known.latitude;
    const addOrUpdateProperties = changedProperties(known, mark);
    if (hasMoved) changes.update.push({ id, newGeometry: pointOf(mark), addOrUpdateProperties });
    else if (addOrUpdateProperties.length > 0) changes.update.push({ id, addOrUpdateProperties });
  }
  return changes;
}

export function featureOf(id: string, mark: Mark): GeoJSON.Feature<GeoJSON.Point> {
  const { name, motion, turn } = mark;
  const properties = { id, name, motion, turn, order: order[motion] };
  return { type: "Feature", id, properties, geometry: pointOf(mark) };
}

function changedProperties(known: Mark, { name, motion, turn }: Mark): Property[] {
  const changed: Property[] = [];
  if (name !== known.name) changed.push({ key: "name", value: name });
  if (turn !== known.turn) changed.push({ key: "turn", value: turn });
  if (motion !== known.motion) changed.push({ key: "motion", value: motion }, { key: "order", value: order[motion] });
  return changed;
}

export function isNothing({ remove, add, update }: MarkChanges): boolean {
  return remove.length + add.length + update.length === 0;
}

function pointOf({ longitude, latitude }: Mark): GeoJSON.Point {
  return { type: "Point", coordinates: [longitude, latitude] };
}
