import type { TrackerEvent } from "../kit/events.ts";
import { decimalOf, shownText } from "../kit/text-values.ts";

/** What the word of a message says: why it was sent. */
export interface Word {
  readonly events: readonly TrackerEvent[];
  readonly ignition: boolean | null;
  readonly temperatureC: number | null;
  readonly unread: readonly string[];
}

const alarms = new Map<string, TrackerEvent>([
  ["help me", "sos"],
  ["low battery", "low_battery"],
  ["stockade", "geofence"],
  ["move", "movement"],
  ["speed", "overspeed"],
  ["door alarm", "door"],
  ["ac alarm", "power_cut"],
  ["accident alarm", "crash"],
  ["sensor alarm", "vibration"],
  ["bonnet alarm", "bonnet"],
  ["footbrake alarm", "foot_brake"],
  ["DTC", "fault"],
]);

/** Reports at intervals, some with a tag in another field. */
const plain: ReadonlySet<string> = new Set(["", "tracker", "001", "rfid"]);
const ignitions: ReadonlyMap<string, boolean> = new Map([
  ["acc on", true],
  ["acc off", false],
]);

export function readWord(word: string): Word {
  const nothing: Word = { events: [], ignition: null, temperatureC: null, unread: [] };
  const alarm = alarms.get(word);
  if (alarm !== undefined) return { ...nothing, events: [alarm] };
  const ignition = ignitions.get(word);
  if (ignition !== undefined) return { ...nothing, ignition };
  if (word.startsWith("T:")) return { ...nothing, events: ["temperature"], temperatureC: decimalOf(word.slice(2)) };
  if (word.startsWith("oil")) return { ...nothing, events: ["fuel_leak"], unread: word === "oil" ? [] : ["fuel"] };
  return plain.has(word) ? nothing : { ...nothing, unread: [`word ${shownText(word)}`] };
}
