export interface RoadKind {
  readonly limitKmh: number;
  /** How likely a light at a junction on it stops a vehicle, outside of rush hours. */
  readonly redLights: number;
  /** The share of the speed that remains in rush hours. */
  readonly rushHour: number;
  /** How far a road deviates from the straight line, as a share of its length. */
  readonly winding: number;
  /** How far its shape points are apart. */
  readonly shapeMetres: number;
  readonly isTunnel: boolean;
}

export const roadKinds = {
  motorway: { limitKmh: 120, redLights: 0, rushHour: 0.8, winding: 0.05, shapeMetres: 250, isTunnel: false },
  "urban-motorway": { limitKmh: 80, redLights: 0, rushHour: 0.6, winding: 0.06, shapeMetres: 150, isTunnel: false },
  "motorway-tunnel": { limitKmh: 80, redLights: 0, rushHour: 0.75, winding: 0.02, shapeMetres: 150, isTunnel: true },
  "city-tunnel": { limitKmh: 50, redLights: 0, rushHour: 0.8, winding: 0.03, shapeMetres: 120, isTunnel: true },
  arterial: { limitKmh: 50, redLights: 0.45, rushHour: 0.65, winding: 0.06, shapeMetres: 90, isTunnel: false },
  street: { limitKmh: 40, redLights: 0.4, rushHour: 0.75, winding: 0.09, shapeMetres: 80, isTunnel: false },
  country: { limitKmh: 80, redLights: 0.15, rushHour: 0.9, winding: 0.08, shapeMetres: 150, isTunnel: false },
  access: { limitKmh: 22, redLights: 0, rushHour: 1, winding: 0.12, shapeMetres: 30, isTunnel: false },
} as const satisfies Record<string, RoadKind>;

export type RoadKindName = keyof typeof roadKinds;

export function isRoadKind(name: string): name is RoadKindName {
  return Object.hasOwn(roadKinds, name);
}
