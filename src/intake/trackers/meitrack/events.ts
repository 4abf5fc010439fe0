import { eventsByCode, type TrackerEvent } from "../kit/events.ts";

/** By the tables of events in the maker's descriptions of T1, T333, T622 and MVT. */
const events = eventsByCode<number>([
  ["sos", 1],
  ["low_battery", 17],
  ["low_power", 18],
  ["overspeed", 19],
  ["geofence_enter", 20],
  ["geofence_exit", 21],
  ["power_restored", 22],
  ["power_cut", 23],
  ["gps_lost", 24],
  ["gps_antenna_cut", 28],
  ["towing", 36],
  ["power_off", 40],
  ["movement", 42],
  ["jamming", 44],
  ["temperature", 50, 51],
  ["fuel_leak", 54],
  ["general", 58],
  ["crash", 78],
  ["fall_down", 79],
  // It was dropped off what it was mounted on.
  ["tampering", 81],
  ["high_rpm", 86],
  ["harsh_cornering", 90, 91],
  ["harsh_braking", 129],
  ["harsh_acceleration", 130],
  ["idling", 133],
  ["fatigue_driving", 135],
]);

/** The key was turned. */
const ignitions: ReadonlyMap<number, boolean> = new Map([
  [144, true],
  [145, false],
]);

/** Why it reports although nothing happened: heartbeat, corner, distance, question, time, tag, photo, stop, and ends of what began. */
const silent: ReadonlySet<number> = new Set([
  0, 25, 26, 27, 29, 31, 32, 33, 34, 35, 37, 39, 41, 63, 80, 87, 134, 136, 144, 145,
]);

interface CodeMeaning {
  readonly events: readonly TrackerEvent[];
  readonly ignition: boolean | null;
  readonly unread: readonly string[];
}

export const tagRead = 37;

export function meaningOfEvent(code: number): CodeMeaning {
  const event = events.get(code);
  const isUnread = event === undefined && !silent.has(code);
  return {
    events: event === undefined ? [] : [event],
    ignition: ignitions.get(code) ?? null,
    unread: isUnread ? [`event ${code}`] : [],
  };
}
