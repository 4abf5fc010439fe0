import { eventsByCode, type TrackerEvent } from "../kit/events.ts";
import { portable } from "./framer.ts";

/** Of everything with wires. */
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

export const portableEvents = eventsByCode<number>([
  ["tampering", 1, 2, 4],
  ["sos", 3],
  ["fall_down", 5],
  ["low_battery", 6],
  ["geofence_enter", 14],
  ["geofence_exit", 15],
]);

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

export function vehicleOrPortableEvents(kind: number): ReadonlyMap<number, TrackerEvent> {
  return kind === portable ? portableEvents : vehicleEvents;
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
