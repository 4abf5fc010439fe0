/** The order in which fields are stored and shown. The event is last: it alone is a text and may contain a comma. */
export const reportedFields = [
  "latitude",
  "longitude",
  "altitude_m",
  "speed_kmh",
  "heading_deg",
  "accuracy_m",
  "satellites",
  "hdop",
  "ignition",
  "odometer_km",
  "battery_percent",
  "external_voltage_v",
  "event",
] as const;

/** What a tracker reports in a frame, in the API's names and units. Null: not reported. */
export type Reported = {
  readonly [Field in (typeof reportedFields)[number]]:
    | (Field extends "event" ? string : Field extends "ignition" ? boolean : number)
    | null;
};

/** Whose time a frame has: that of its tracker, or that of its receipt, because the message had none that can be read. */
export const timeSources = ["tracker", "receipt"] as const;

/** Absent: its tracker's. Few frames have it, and what is stored of the others has no room for it. */
export interface Timed {
  readonly time_source?: "receipt" | undefined;
}

/** How the text ends if the time is that of the receipt: the event before it is no number. */
const receiptEnd = ",1]";

/** As it is stored: a JSON array of the values alone. One array for JSON takes half as long as a text made of numbers. */
export function formatReported(r: Reported & Timed): string {
  const text = formatValues(r);
  return r.time_source === undefined ? text : text.slice(0, -1) + receiptEnd;
}

export function timeSourceOf(text: string): Timed["time_source"] {
  return text.endsWith(receiptEnd) ? "receipt" : undefined;
}

/** The text without what it says of the time. */
export function valuesAlone(text: string): string {
  return text.endsWith(receiptEnd) ? `${text.slice(0, -receiptEnd.length)}]` : text;
}

function formatValues(r: Reported): string {
  return JSON.stringify([
    r.latitude,
    r.longitude,
    r.altitude_m,
    r.speed_kmh,
    r.heading_deg,
    r.accuracy_m,
    r.satellites,
    r.hdop,
    r.ignition,
    r.odometer_km,
    r.battery_percent,
    r.external_voltage_v,
    r.event,
  ]);
}

/** The reported values, from that array. */
export function parseReported(text: string): Reported {
  const values = JSON.parse(text) as unknown[];
  return {
    latitude: values[0],
    longitude: values[1],
    altitude_m: values[2],
    speed_kmh: values[3],
    heading_deg: values[4],
    accuracy_m: values[5],
    satellites: values[6],
    hdop: values[7],
    ignition: values[8],
    odometer_km: values[9],
    battery_percent: values[10],
    external_voltage_v: values[11],
    event: values[12],
  } as Reported;
}
