import type { TrackerEvent } from "../kit/events.ts";

/** What a number means: in words for the owner, and as an event if it is one. */
type Meaning = readonly [what: string, event?: TrackerEvent];

/** Reports ALT of all models. Those from 22 to 28 are of the engine's data bus. */
const alerts: Readonly<Record<number, Meaning>> = {
  1: ["faster than the limit", "overspeed"],
  2: ["speed below the limit again"],
  3: ["GPS antenna disconnected", "gps_antenna_cut"],
  4: ["GPS antenna connected"],
  5: ["geofence left", "geofence_exit"],
  6: ["geofence entered", "geofence_enter"],
  8: ["GPS antenna shorted", "gps_antenna_cut"],
  9: ["deep sleep begins"],
  10: ["deep sleep ends"],
  13: ["error of the backup battery", "fault"],
  14: ["vehicle battery low", "low_power"],
  15: ["shock", "vibration"],
  16: ["collision", "crash"],
  18: ["route left"],
  19: ["route entered"],
  22: ["speed limit of the engine", "overspeed"],
  23: ["speed limit of the engine", "overspeed"],
  24: ["coolant temperature", "fault"],
  25: ["oil pressure", "fault"],
  26: ["engine too fast", "high_rpm"],
  27: ["hard braking", "harsh_braking"],
  28: ["error code of the engine", "fault"],
  33: ["ignition on"],
  34: ["ignition off"],
  40: ["main power connected", "power_restored"],
  41: ["main power cut", "power_cut"],
  42: ["emergency key", "sos"],
  44: ["backup battery connected"],
  45: ["backup battery disconnected"],
  46: ["fast acceleration", "harsh_acceleration"],
  47: ["hard braking", "harsh_braking"],
  48: ["sharp turn", "harsh_cornering"],
  49: ["faster than the limit", "overspeed"],
  50: ["jamming", "jamming"],
  59: ["driver's key inserted"],
  60: ["driver's key removed"],
  61: ["ignition on without driving", "idling"],
  62: ["stopped for long", "parking"],
  63: ["dead centre"],
  64: ["engine too fast", "high_rpm"],
  65: ["calibrated"],
  66: ["calibrated"],
  67: ["calibrated"],
  68: ["stopped with ignition on", "idling"],
  69: ["moving again"],
  73: ["sudden loss of fuel", "fuel_leak"],
  75: ["temperature too high", "temperature"],
  76: ["temperature too low", "temperature"],
  132: ["door", "door"],
};

/** Reports EMG. The second is a vehicle that moves while its parking lock is on. */
const emergencies: Readonly<Record<number, Meaning>> = {
  1: ["emergency key", "sos"],
  2: ["parking lock", "movement"],
  3: ["main power cut", "power_cut"],
  5: ["anti-theft", "general"],
  6: ["anti-theft, door", "door"],
  7: ["motion", "movement"],
  8: ["anti-theft, shock", "vibration"],
};

const inputs: Readonly<Record<number, Meaning>> = {
  1: ["input 1 closed"],
  2: ["input 1 open"],
  3: ["input 2 closed"],
  4: ["input 2 open"],
  5: ["input 3 closed"],
  6: ["input 3 open"],
};

const tables: Readonly<Record<string, readonly [name: string, table: Readonly<Record<number, Meaning>>]>> = {
  ALT: ["alert", alerts],
  EMG: ["emergency", emergencies],
  EVT: ["event", inputs],
};

/** Whether reports of this kind have such a number. */
export function hasMeaning(kind: string): boolean {
  return Object.hasOwn(tables, kind);
}

export interface CodeMeaning {
  readonly what: string;
  readonly events: readonly TrackerEvent[];
  /** Only if the number says so. */
  readonly ignition: boolean | null;
  readonly unread: readonly string[];
}

/** Alerts 5 and 6 may have the number of their fence behind: 5007. */
const withFence = /^([56])\d{3}$/;

export function meaningOfCode(kind: string, code = ""): CodeMeaning {
  const [name = "report", table = {}] = tables[kind] ?? [];
  const number = /^\d{1,4}$/.test(code) ? Number(withFence.exec(code)?.[1] ?? code) : null;
  const [what, event] = (number === null ? undefined : table[number]) ?? [];
  if (what === undefined) {
    const named = number === null ? `${name} without a number` : `${name} ${number}`;
    return { what: named, events: [], ignition: null, unread: [named] };
  }
  const ignition = kind !== "ALT" ? null : number === 33 ? true : number === 34 ? false : null;
  return { what, events: event === undefined ? [] : [event], ignition, unread: [] };
}
