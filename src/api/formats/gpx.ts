import { type DocumentWriter, type OpenDocument, parsedRecords, type ShownRecord } from "./format.ts";

/** Garmin's extension is where other programs look for speed and course. Ours has what neither it nor GPX has a place for. */
const start = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Odograph" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:odo="urn:odograph:gpx:1">
`;
const end = "</gpx>\n";

/** In km/h one is 3.6 in metres per second. */
const kmhPerMetrePerSecond = 3.6;

/** Fields of a position that GPX has no element for, or in another unit. `odograph import` reads them. */
const pointExtensions = [
  "received_at",
  "speed_kmh",
  "heading_deg",
  "accuracy_m",
  "ignition",
  "odometer_km",
  "battery_percent",
  "external_voltage_v",
  "event",
  "reject_reason",
  "driver_id",
  "time_source",
] as const;

/** Fields that GPX cannot do without, whichever are requested. */
export const gpxPlaceFields: readonly string[] = [
  ...["imei", "latitude", "longitude", "recorded_at", "discontinuity"],
  ...["start", "end", "started_at", "ended_at"],
];

/** The frames of one device as one track, with a segment from each discontinuity to the next. */
export const openTrack: OpenDocument = (hasRecords): DocumentWriter => {
  let isOpen = hasRecords;
  return {
    start,
    get hasRecords() {
      return isOpen;
    },
    records(json) {
      let text = "";
      for (const record of parsedRecords(json)) {
        const point = trackPoint(record);
        // GPX has no place for a frame without a position.
        if (point === null) continue;
        if (!isOpen) text += `<trk>${element("name", record.imei)}<trkseg>\n`;
        else if (record.discontinuity === true) text += "</trkseg><trkseg>\n";
        isOpen = true;
        text += point;
      }
      return text;
    },
    end: () => (isOpen ? `</trkseg></trk>\n${end}` : end),
  };
};

function trackPoint(record: ShownRecord): string | null {
  const { altitude_m, recorded_at, reject_reason, satellites, hdop } = record;
  const place = placeAttributes(record);
  if (place === null) return null;
  const fix = reject_reason === "no_fix" ? "none" : null;
  // In the order of the schema.
  const own = [
    element("ele", altitude_m),
    element("time", recorded_at),
    element("fix", fix),
    element("sat", satellites),
    element("hdop", hdop),
  ];
  const extensions = [garminExtension(record), extensionsOf(record, pointExtensions)].join("");
  return `<trkpt ${place}>${own.join("")}<extensions>${extensions}</extensions></trkpt>\n`;
}

/** Null for what cannot be a place in GPX. */
function placeAttributes({ latitude, longitude }: ShownRecord): string | null {
  if (typeof latitude !== "number" || typeof longitude !== "number") return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return `lat="${decimal(latitude)}" lon="${decimal(longitude)}"`;
}

/**
 * For GDAL, and QGIS with it: they guess a type for each extension by the last text in it. An extension that ends with a line
 * break is text. Without it, one of numbers becomes a number, an IMEI one of 32 bits, and each point and route a warning.
 */
const endOfText = "\n";

function garminExtension({ speed_kmh, heading_deg }: ShownRecord): string {
  const metresPerSecond = typeof speed_kmh === "number" ? speed_kmh / kmhPerMetrePerSecond : null;
  const inside = element("gpxtpx:speed", metresPerSecond) + element("gpxtpx:course", heading_deg);
  return inside && `<gpxtpx:TrackPointExtension>${inside}${endOfText}</gpxtpx:TrackPointExtension>`;
}

function extensionsOf(record: ShownRecord, names: readonly string[]): string {
  return names.map((name) => extension(name, record[name])).join("");
}

/** What holds several fields, such as each driver of a trip, has an element for each of them. Nothing is written of an empty list. */
function extension(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => extension(name, one)).join("");
  if (typeof value !== "object" || value === null) return element(`odo:${name}`, value);
  const inside = Object.entries(value).map(([field, inner]) => extension(field, inner));
  return `<odo:${name}>${inside.join("")}${endOfText}</odo:${name}>`;
}

/** Each trip as a route. Programs that import tracks would take both ends for positions that a tracker sent. */
export const openRoutes: OpenDocument = () => ({
  start,
  hasRecords: false,
  records: (json) => parsedRecords(json).map(routeElement).join(""),
  end: () => end,
});

/** Times and places are those of its points. */
const endFields = ["started_at", "ended_at", "start", "end"];

function routeElement(trip: ShownRecord): string {
  const fields = Object.keys(trip).filter((name) => !endFields.includes(name));
  const points = [
    { type: "start", at: trip.started_at, place: trip.start },
    { type: "end", at: trip.ended_at, place: trip.end },
  ].map(({ type, at, place }) => {
    const attributes = placeAttributes((place ?? {}) as ShownRecord);
    return attributes === null ? "" : `<rtept ${attributes}>${element("time", at)}${element("type", type)}</rtept>\n`;
  });
  const name = element("name", `${trip.imei} ${trip.started_at}`);
  const extensions = extensionsOf({ ...trip, imei: `${trip.imei}${endOfText}` }, fields);
  return `<rte>${name}<extensions>${extensions}</extensions>\n${points.join("")}</rte>\n`;
}

/** Texts that XML 1.0 cannot hold, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(unwritable, "\ufffd").replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

function element(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  return `<${name}>${typeof value === "number" ? decimal(value) : escaped(String(value))}</${name}>`;
}

/** Without an exponent, which schemas of XML do not take for a decimal number: 1.5e-7 is 0.00000015. */
export function decimal(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  if (exponent === undefined) return digits;
  const [sign, plain] = digits.startsWith("-") ? ["-", digits.slice(1)] : ["", digits];
  const [whole = "", fraction = ""] = plain.split(".");
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${"0".repeat(-shift - whole.length)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(shift, "0");
}
