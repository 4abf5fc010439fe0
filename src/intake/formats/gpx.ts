/** Tracks in GPX 1.0 and 1.1. Only track points are read: waypoints and routes are plans, not places where somebody was. */
import { Failure } from "../../domain/errors.ts";
import { parseInstant } from "../../domain/time.ts";
import type { ImportedPoint } from "../incoming-frame.ts";
import { convertedNumber, importedPoint, numberFrom } from "./imported-point.ts";
import { toKmh } from "./units.ts";
import { attributeOf, XmlScanner } from "./xml-scanner.ts";

interface OpenPoint {
  readonly line: number;
  readonly latitude: string | undefined;
  readonly longitude: string | undefined;
  /** By name: of the point itself, and of its extensions, where Garmin and others put speed and course. */
  readonly own: Map<string, string>;
  readonly extended: Map<string, string>;
}

/**
 * The points in the order of the file, each or why it is refused, as the text of the file arrives. What is not GPX, or ends in
 * the middle, is a `Failure`, by when points before it may have been given.
 */
export async function* readGpx(
  pieces: AsyncIterable<string> | Iterable<string>,
  imei: string,
): AsyncGenerator<ImportedPoint> {
  const points: ImportedPoint[] = [];
  const path: string[] = [];
  let point: OpenPoint | null = null;
  let pointDepth = 0;
  let text = "";
  let isGpx = false;

  const scanner = new XmlScanner({
    open(name, attributes, line) {
      if (!isGpx && name !== "gpx")
        throw new Failure("FILE_UNREADABLE", `line ${line}: expected GPX, got <${name.slice(0, 40)}>`);
      isGpx = true;
      path.push(name);
      text = "";
      if (name !== "trkpt" || point !== null) return;
      pointDepth = path.length;
      const latitude = attributeOf(attributes, "lat");
      const longitude = attributeOf(attributes, "lon");
      point = { line, latitude, longitude, own: new Map(), extended: new Map() };
    },
    text(piece) {
      if (point !== null) text += piece;
    },
    close(name) {
      if (path.pop() !== name)
        throw new Failure("FILE_UNREADABLE", `expected XML, got </${name.slice(0, 40)}> in the wrong place`);
      if (point === null) return;
      if (path.length < pointDepth) {
        points.push(readPoint(point, imei));
        point = null;
      } else if (path.length === pointDepth) {
        point.own.set(name, text.trim());
      } else if (path[pointDepth] === "extensions") {
        point.extended.set(name, text.trim());
      }
      text = "";
    },
  });
  for await (const piece of pieces) {
    scanner.push(piece);
    yield* points.splice(0);
  }
  scanner.end();
  if (!isGpx || path.length > 0)
    throw new Failure("FILE_UNREADABLE", isGpx ? "the GPX ends in the middle" : "expected GPX");
}

function readPoint({ line, latitude, longitude, own, extended }: OpenPoint, imei: string): ImportedPoint {
  const said = (name: string): string | undefined => own.get(name) ?? extended.get(name);
  const time = own.get("time");
  const fix = own.get("fix");
  return importedPoint(line, imei, time === undefined ? null : parseInstant(time), time, {
    latitude: numberFrom(latitude) ?? "",
    longitude: numberFrom(longitude) ?? "",
    altitude_m: numberFrom(said("ele")),
    speed_kmh: knownOnly(convertedNumber(said("speed"), (speed) => toKmh(speed, "ms"))),
    heading_deg: knownOnly(numberFrom(said("course") ?? said("bearing"))),
    accuracy_m: knownOnly(numberFrom(said("accuracy"))),
    satellites: numberFrom(said("sat")),
    hdop: numberFrom(said("hdop")),
    fix: fix === undefined ? null : fix !== "none",
  });
}

/** Phones write -1 for a speed, a course or an accuracy that they do not know. */
function knownOnly(value: number | string | null): number | string | null {
  return typeof value === "number" && value < 0 ? null : value;
}
