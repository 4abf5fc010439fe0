/** Tracks in GPX 1.0 and 1.1. Only track points are read: waypoints and routes are plans, not places where the vehicle was. */
import { SaxesParser } from "saxes";
import { Failure } from "../../domain/errors.ts";
import { parseInstant } from "../../domain/time/time.ts";
import type { ImportedPoint } from "../incoming-frame.ts";
import {
  asExported,
  convertedNumber,
  exportedTimes,
  importedPoint,
  numberFrom,
  saidByReason,
} from "./imported-point.ts";
import { toKmh } from "./units.ts";

/** No tag of a track is nearly as long and none is nested as deep. Whatever else is in a file must not fill the memory. */
const maxCharactersPerTag = 1024 * 1024;
const maxDepth = 100;
const maxReasonLength = 120;

/** In the tracks that we write (src/api/formats/gpx.ts). */
const exportPrefix = "odo:";

interface OpenPoint {
  readonly line: number;
  readonly depth: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** By name: of the point itself, and of its extensions, where Garmin and others put speed and course. */
  readonly own: Map<string, string>;
  readonly extended: Map<string, string>;
  /** Of the extension that we write ourselves, exactly as it is written. */
  readonly exported: Map<string, string>;
}

/** Yields points and refusals in order. Throws a `Failure` where the file is not GPX, or ends too early. */
export async function* readGpx(
  pieces: AsyncIterable<string> | Iterable<string>,
  imei: string,
): AsyncGenerator<ImportedPoint> {
  const points: ImportedPoint[] = [];
  /** Names of the open tags. */
  const path: string[] = [];
  let point: OpenPoint | null = null;
  let text = "";
  let tagLine = 1;
  let lastTagEnd = 0;
  let length = 0;

  const parser = new SaxesParser();
  // An entity that the file declares, or none does, stays as it is written: nothing that we read holds one.
  parser.ENTITIES = new Proxy(parser.ENTITIES, { get: (known, name: string) => known[name] ?? `&${name};` });
  const addText = (piece: string) => {
    if (point !== null) text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentagstart", () => {
    // The parser has read the character after the name: after a line break it is on the next line already.
    tagLine = parser.column === 0 ? parser.line - 1 : parser.line;
  });
  parser.on("opentag", (tag) => {
    const name = localName(tag.name);
    lastTagEnd = parser.position;
    if (path.length === 0 && name !== "gpx") fail(`line ${tagLine}: expected GPX, got <${name.slice(0, 40)}>`);
    if (path.length === maxDepth) fail(`line ${tagLine}: expected GPX, got more than ${maxDepth} nested tags`);
    path.push(name);
    text = "";
    if (name !== "trkpt" || point !== null) return;
    const { attributes } = tag;
    point = { line: tagLine, depth: path.length, attributes, own: new Map(), extended: new Map(), exported: new Map() };
  });
  parser.on("closetag", (tag) => {
    const name = path.pop() ?? "";
    lastTagEnd = parser.position;
    if (point === null) return;
    if (path.length < point.depth) {
      points.push(readPoint(point, imei));
      point = null;
    } else if (path.length === point.depth) {
      point.own.set(name, text.trim());
    } else if (path[point.depth] === "extensions") {
      const isExported = tag.name.startsWith(exportPrefix);
      if (isExported) point.exported.set(name, text);
      else point.extended.set(name, text.trim());
    }
    text = "";
  });
  parser.on("error", ({ message }) => {
    const reason = message.replace(/^[\d:]* |\.$/g, "").slice(0, maxReasonLength);
    fail(`line ${parser.line}: not well-formed XML: ${reason}`);
  });

  for await (const piece of pieces) {
    try {
      parser.write(piece);
    } finally {
      yield* points.splice(0); // those before a failure, too
    }
    length += piece.length;
    if (length - lastTagEnd > maxCharactersPerTag) {
      fail(`line ${parser.line}: expected XML, got ${maxCharactersPerTag} characters without a tag`);
    }
  }
  if (lastTagEnd === 0 || path.length > 0) fail(lastTagEnd === 0 ? "expected GPX" : "the GPX ends in the middle");
  parser.close();
}

function fail(reason: string): never {
  throw new Failure("FILE_UNREADABLE", reason);
}

/** Without its prefix, which every writer chooses for itself. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function readPoint({ line, attributes, own, extended, exported }: OpenPoint, imei: string): ImportedPoint {
  const named = (name: string): string | undefined => own.get(name) ?? extended.get(name);
  const time = own.get("time");
  const fix = own.get("fix");
  const recordedAt = time === undefined ? null : parseInstant(time);
  const fields = {
    latitude: numberFrom(attributes.lat) ?? "",
    longitude: numberFrom(attributes.lon) ?? "",
    altitude_m: numberFrom(named("ele")),
    speed_kmh: knownOnly(convertedNumber(named("speed"), (speed) => toKmh(speed, "ms"))),
    heading_deg: knownOnly(numberFrom(named("course") ?? named("bearing"))),
    accuracy_m: knownOnly(numberFrom(named("accuracy"))),
    satellites: numberFrom(named("sat")),
    hdop: numberFrom(named("hdop")),
    fix: fix === undefined ? null : fix !== "none",
  };
  const rejectReason = exported.get("reject_reason");
  const times = exportedTimes(recordedAt, exported.get("received_at"), rejectReason);
  const said = { ...exportedFields(exported), ...saidByReason(rejectReason) };
  const point = importedPoint(line, imei, recordedAt, time, { ...fields, ...said }, times);
  return exported.size > 0 ? asExported(point, recordedAt, rejectReason, exported.has("driver_id")) : point;
}

const exportedNumbers = [
  "speed_kmh",
  "heading_deg",
  "accuracy_m",
  "odometer_km",
  "battery_percent",
  "external_voltage_v",
] as const;

/** What GPX has no element for, or in another unit. */
function exportedFields(exported: ReadonlyMap<string, string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of exportedNumbers) if (exported.has(name)) fields[name] = numberFrom(exported.get(name));
  const ignition = exported.get("ignition");
  if (ignition !== undefined) fields.ignition = ignition === "true" ? true : ignition === "false" ? false : ignition;
  for (const name of ["event", "driver_id", "time_source"]) if (exported.has(name)) fields[name] = exported.get(name);
  return fields;
}

/** Phones write -1 for a speed, a course or an accuracy that they do not know. */
function knownOnly(value: number | string | null): number | string | null {
  return typeof value === "number" && value < 0 ? null : value;
}
