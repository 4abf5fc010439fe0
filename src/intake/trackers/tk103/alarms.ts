import { eventsByCode, type TrackerEvent } from "../kit/events.ts";

/** What the kind of a message says beyond its place. */
export interface KindMeaning {
  readonly events: readonly TrackerEvent[];
  readonly ignition: boolean | null;
}

/** The digit behind BO01. */
const alarmsOfBo01: readonly TrackerEvent[] = [
  "power_cut",
  "crash",
  "sos",
  "vibration",
  "low_speed",
  "overspeed",
  "geofence_exit",
];

/** The number behind `ALARM` in BQ81. */
const alarmsOfBq81: readonly TrackerEvent[] = [
  "low_battery",
  "overspeed",
  "idling",
  "harsh_acceleration",
  "harsh_braking",
  "temperature",
];

/** ZC: an older form. DW3 and DW4: with a place from GPS. DW5 and DW6: with cell towers and WiFi networks. */
const alarmByKind = eventsByCode([
  ["movement", "ZC11", "DW31", "DW51"],
  ["low_battery", "ZC12", "DW32", "DW52"],
  ["power_cut", "ZC13", "DW33", "DW53"],
  ["tampering", "ZC17", "DW37", "DW57"],
  ["sos", "ZC25", "DW3E", "DW5E"],
  ["tampering", "ZC26", "DW3F", "DW5F"],
  ["low_power", "ZC27", "DW40", "DW60"],
]);

const ignitionByKind: ReadonlyMap<string, boolean> = new Map([
  ...["ZC15", "DW35", "DW55", "ZC29", "DW42", "DW62"].map((kind) => [kind, true] as const),
  ...["ZC16", "DW36", "DW56"].map((kind) => [kind, false] as const),
]);

/** `data`: what stands between the kind and the date. */
export function meaningOf(kind: string, data: string): KindMeaning {
  const ignition = ignitionByKind.get(kind) ?? null;
  const event =
    kind === "BO01"
      ? alarmsOfBo01[digitOf(data.charAt(0))]
      : kind === "BQ81"
        ? alarmsOfBq81[digitOf(/^,ALARM,(\d),/.exec(data)?.[1] ?? data)]
        : alarmByKind.get(kind);
  return { events: event === undefined ? [] : [event], ignition };
}

function digitOf(text: string): number {
  return /^\d$/.test(text) ? Number(text) : Number.NaN;
}
