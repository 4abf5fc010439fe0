import type { TrackerEvent } from "../kit/events.ts";
import { hexNumberOf } from "./message.ts";
import type { Model } from "./models.ts";
import { queclinkState } from "./states.ts";

/** A column before the position; "-" has no meaning for us. */
type HeadColumn =
  | "-"
  | "alarm"
  | "battery"
  | "code"
  | "driver"
  | "mask"
  | "number"
  | "power"
  | "satellites"
  | "state"
  | "temperature";

export type HeadValues = Partial<Record<HeadColumn, string>>;

/** What stands before the position. */
interface Head {
  readonly values: HeadValues;
  /** Columns without a meaning for us. */
  readonly unread: string;
}

interface Report {
  /** For the owner. */
  readonly what: string;
  /** The columns between the device's name and the position, one list for each length there is; none: no position. */
  readonly heads?: readonly (readonly HeadColumn[])[];
  readonly events?: (head: HeadValues) => readonly TrackerEvent[];
  /** What the report itself says about the ignition. */
  readonly ignition?: (head: HeadValues, model: Model) => boolean | null;
  /** Cells or access points only, instead of a position. */
  readonly isWithoutFix?: true;
  /** Where a report without a position has the battery; negative: from the end. */
  readonly batteryAt?: number;
  /** What of it has no meaning for us. */
  readonly unread?: string;
}

/** The longer ones are of GT501. */
const general: readonly (readonly HeadColumn[])[] = [
  ["power", "code", "number"],
  ["-", "code", "-", "number"],
  ["-", "code", "-", "-", "number"],
];
const ofGl500: typeof general = [["-", "code", "-", "temperature", "battery"]];
const nothing: Report["heads"] = [[], ["-"]];
const one: Report["heads"] = [["-"]];
const two: Report["heads"] = [["-", "-"]];
const alarmFirst: Report["heads"] = [["alarm"], ["alarm", "-"]];

/** A geofence, an input or a level of speed is in the first digit, if there are two. The last is what happened. */
function codeOf({ code }: HeadValues): number | null {
  const number = hexNumberOf(code);
  return number === null ? null : number % 16;
}

const harshEvents: readonly TrackerEvent[] = [
  "harsh_braking",
  "harsh_acceleration",
  "harsh_cornering",
  "harsh_braking",
  "harsh_acceleration",
];

function always(event: TrackerEvent): () => readonly TrackerEvent[] {
  return () => [event];
}

function ofCode(events: readonly (TrackerEvent | undefined)[]): (head: HeadValues) => readonly TrackerEvent[] {
  return (head) => [events[codeOf(head) ?? -1]].filter((event) => event !== undefined);
}

function ofAlarm(events: Readonly<Record<string, TrackerEvent>>): (head: HeadValues) => readonly TrackerEvent[] {
  return ({ alarm = "" }) => [events[alarm]].filter((event) => event !== undefined);
}

function movementOf({ state }: HeadValues): readonly TrackerEvent[] {
  if (state === "16") return ["towing"];
  return queclinkState(state)?.isMoving === true ? ["movement"] : [];
}

function ignitionOfState({ state }: HeadValues): boolean | null {
  return queclinkState(state)?.ignition ?? null;
}

/** 0 is on and 1 is off: so most manuals have it, and so it stands beside IGN and IGF in recorded sessions. */
function ignitionOfCode(head: HeadValues, { ignitionOfZero = true }: Model): boolean | null {
  const code = codeOf(head);
  if (ignitionOfZero === null || code === null || code > 1) return null;
  return code === 0 ? ignitionOfZero : !ignitionOfZero;
}

export const reports: Readonly<Record<string, Report>> = {
  AIS: { what: "analogue input", heads: [["-", "code", "number"]] },
  AIF: { what: "access point of the network" },
  ALC: { what: "settings" },
  ALL: { what: "settings" },
  ALM: { what: "settings" },
  ALS: { what: "settings" },
  ANT: { what: "GPS antenna", heads: alarmFirst, events: ofAlarm({ 1: "gps_antenna_cut", 2: "gps_antenna_cut" }) },
  BAA: { what: "alarm of an accessory", unread: "data of the accessory" },
  BAT: { what: "battery" },
  BID: { what: "accessory found", unread: "data of the accessory" },
  BPL: { what: "battery low", heads: one, events: always("low_battery") },
  BTC: { what: "charging begins", heads: nothing },
  CAN: { what: "vehicle's data bus", unread: "CAN data beyond ignition and fuel level" },
  CID: { what: "SIM card" },
  CRA: { what: "crash", heads: [["-"], []], events: always("crash") },
  CSQ: { what: "signal" },
  CTN: { what: "position in continuous mode", heads: general },
  DAR: { what: "driver alert", heads: [["alarm", "-", "-", "-"]], events: ofAlarm({ 1: "fatigue_driving" }) },
  DAT: { what: "data of a serial device", unread: "data of a serial device" },
  DIS: { what: "digital input", heads: general },
  DOG: { what: "restart by watchdog", heads: general },
  DTT: { what: "data of a serial device", unread: "data of a serial device" },
  EPF: { what: "external power cut", heads: nothing, events: always("power_cut") },
  EPN: { what: "external power back", heads: nothing, events: always("power_restored") },
  EPS: { what: "external power supply", heads: general },
  ERI: { what: "position with accessories", heads: [["mask", "power", "code", "number"]] },
  FLA: { what: "fuel loss", heads: [["-", "-", "-"]], events: always("fuel_leak") },
  FRI: { what: "position", heads: general },
  GCR: { what: "geofence around the place", heads: [["-", "-", "-"]] },
  GEO: { what: "geofence", heads: general, events: ofCode(["geofence_exit", "geofence_enter"]) },
  GES: { what: "parking fence", heads: general },
  GIN: { what: "geofence entered", heads: general, events: always("geofence_enter") },
  GOT: { what: "geofence left", heads: general, events: always("geofence_exit") },
  GPJ: { what: "GPS jamming", heads: alarmFirst, events: ofAlarm({ 3: "jamming" }) },
  GSM: { what: "cells", isWithoutFix: true },
  GSS: {
    what: "GPS signal",
    heads: [["alarm", "satellites", "state", "-"]],
    events: ofAlarm({ 0: "gps_lost" }),
    ignition: ignitionOfState,
  },
  HBD: { what: "heartbeat" },
  HBM: { what: "harsh behaviour", heads: general, events: ofCode(harshEvents) },
  IDA: { what: "driver's tag", heads: [["-", "driver", "code", "number"]] },
  IDF: { what: "idling ends", heads: [["state", "-"]], ignition: ignitionOfState },
  IDL: { what: "idling", heads: general, events: always("idling") },
  IDN: { what: "idling begins", heads: two, events: always("idling") },
  IGF: { what: "ignition off", heads: one, ignition: () => false },
  IGL: { what: "position at ignition", heads: general, ignition: ignitionOfCode },
  IGN: { what: "ignition on", heads: one, ignition: () => true },
  INF: { what: "information" },
  IOB: { what: "inputs combined", heads: general },
  JDR: { what: "jamming", heads: nothing, events: always("jamming") },
  JDS: { what: "jamming status", heads: alarmFirst, events: ofAlarm({ 2: "jamming" }) },
  LBC: { what: "position by call", heads: one },
  LBS: { what: "cells", isWithoutFix: true, batteryAt: 3 },
  LSA: { what: "light sensor", heads: [["-", "-", "-"]] },
  LSP: { what: "long stop", heads: two },
  LSW: { what: "light switch", heads: two },
  MAI: { what: "analogue inputs", heads: [["-", "code", "number"]] },
  MPF: { what: "main power cut", heads: nothing, events: always("power_cut") },
  MPN: { what: "main power back", heads: nothing, events: always("power_restored") },
  NMR: { what: "movement", heads: general, events: ofCode([undefined, "movement"]) },
  OBD: { what: "vehicle's diagnosis", unread: "OBD data" },
  OPF: { what: "OBD socket lost", heads: nothing },
  OPN: { what: "OBD socket found", heads: nothing },
  PDP: { what: "connected" },
  PFA: { what: "power off", events: always("power_off") },
  PFR: { what: "power off", events: always("power_off") },
  PNA: { what: "power on", events: always("power_on") },
  PNL: { what: "first position after power on", heads: general },
  PNR: { what: "power on", events: always("power_on") },
  RMD: { what: "roaming", heads: one },
  RTL: { what: "position on request", heads: general },
  SOS: { what: "emergency key", heads: general, events: always("sos") },
  SPD: { what: "speed alarm", heads: general, events: always("overspeed") },
  STC: { what: "charging ends", heads: one },
  STP: { what: "stop", heads: two },
  STR: { what: "start", heads: two },
  STT: { what: "state of motion", heads: [["state"]], events: movementOf, ignition: ignitionOfState },
  SWG: { what: "geofence by key", heads: one, events: always("geofence") },
  // 2 is a temperature that is within its limits again.
  TEM: {
    what: "temperature alarm",
    heads: [["alarm", "temperature"]],
    events: ofAlarm({ 1: "temperature", 3: "temperature" }),
  },
  TMP: {
    what: "temperature alarm",
    heads: [
      ["alarm", "temperature", "number"],
      ["-", "-", "code", "number"],
    ],
    events: always("temperature"),
  },
  TMZ: { what: "time zone" },
  TOW: { what: "towing", heads: general, events: always("towing") },
  TRI: { what: "position", heads: general },
  TSW: { what: "tamper switch", heads: two },
  UPC: { what: "settings fetched" },
  VER: { what: "version" },
  VGF: { what: "virtual ignition off", heads: one, ignition: () => false },
  VGL: { what: "position at virtual ignition", heads: general, ignition: ignitionOfCode },
  VGN: { what: "virtual ignition on", heads: one, ignition: () => true },
  WIF: { what: "access points", isWithoutFix: true, batteryAt: -1 },
};

/** How many columns there may be before the position, with the device's name and VIN. */
export function headLengthsOf(type: string, model: Model): readonly number[] {
  return (headsOf(type, model) ?? []).map((head) => head.length + (model.hasVin === true ? 2 : 1));
}

/**
 * The list that is as long as what stands there is read; else the first, counted from the position back, since models differ
 * at the beginning.
 */
export function readHead(type: string, model: Model, head: readonly string[]): Head {
  const heads = headsOf(type, model) ?? [];
  const length = head.length - (model.hasVin === true ? 2 : 1);
  const names = heads.find((candidate) => candidate.length === length) ?? heads[0] ?? [];
  const from = head.length - names.length;
  const values = names.flatMap((name, index) => {
    const value = head[from + index];
    return name === "-" || value === undefined || value === "" ? [] : [[name, value] as const];
  });
  const others = head.filter((_, index) => index < from || names[index - from] === "-");
  return { values: Object.fromEntries(values), unread: others.join("") };
}

function headsOf(type: string, model: Model): Report["heads"] {
  const heads = reports[type]?.heads;
  const isOfGl500 = model.batteryBeforePosition === true && (heads === general || type === "STR");
  return isOfGl500 ? [...ofGl500, ...general] : heads;
}
