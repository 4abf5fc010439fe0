import { eventsByCode, type TrackerEvent } from "../kit/events.ts";
import { portable } from "./framer.ts";

/** Of older trackers with wires. */
export const vehicleEvents = eventsByCode<number>([
  ["power_cut", 1],
  ["low_battery", 2],
  ["sos", 3],
  ["overspeed", 4],
  ["geofence_enter", 5],
  ["geofence_exit", 6],
  ["towing", 7],
  ["vibration", 8, 10],
  ["jamming", 21],
  ["power_restored", 23],
  ["low_power", 24],
]);

/**
 * Newer trackers have one list for all. What a wired one calls 1 is its supply; a portable one is taken off there, and 2 and 4 are its case.
 * The ends of what began, inputs and voltages are no events.
 */
const ofNewerTrackers = [
  ["sos", 3],
  ["fall_down", 5],
  ["low_battery", 6],
  ["temperature", 8, 30],
  ["vibration", 9],
  ["crash", 10],
  ["geofence_enter", 14],
  ["geofence_exit", 15],
  ["power_on", 20],
  ["power_off", 29],
  ["jamming", 66],
  ["overspeed", 70],
  ["towing", 71],
  ["general", 74],
] as const;

export const newerVehicleEvents = eventsByCode<number>([
  ...ofNewerTrackers,
  ["power_cut", 1, 68],
  ["ignition_on", 16],
  ["ignition_off", 17],
  ["idling", 18],
  ["power_restored", 69],
  ["low_power", 75],
]);

export const portableEvents = eventsByCode<number>([...ofNewerTrackers, ["tampering", 1, 2, 4]]);

/** Messages 5 and 6 of trackers at the diagnostic socket: how it was driven. */
export const [drivingBySpeed, drivingByAcceleration] = [
  eventsByCode<number>([
    ["harsh_braking", 0, 2, 4],
    ["harsh_acceleration", 1, 3, 5],
  ]),
  eventsByCode<number>([
    ["harsh_braking", 0],
    ["harsh_acceleration", 1],
    ["harsh_cornering", 2],
  ]),
];

export function newerEvents(kind: number): ReadonlyMap<number, TrackerEvent> {
  return kind === portable ? portableEvents : newerVehicleEvents;
}

interface WithAlarm {
  readonly events: TrackerEvent[];
  readonly unread: string[];
}

export function addTopflytechAlarm(
  { events, unread }: WithAlarm,
  table: ReadonlyMap<number, TrackerEvent>,
  code: number,
): void {
  const event = table.get(code);
  if (event !== undefined) events.push(event);
  else if (code !== 0) unread.push(`alarm ${code}`);
}
