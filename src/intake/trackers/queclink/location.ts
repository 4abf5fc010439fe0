import type { ReadFields } from "../kit/frame.ts";
import { queclinkNumber, queclinkTime, type TrackMessage } from "./message.ts";

/** Accuracy, speed, heading, altitude, longitude, latitude, time and four columns of the cell. */
const locationColumns = 11;
const longitudeAt = 4;
const cellAt = 7;

/** The columns of a message, by the position that most have in their midst. */
export interface Sections {
  /** Before the first position. */
  readonly head: readonly string[];
  readonly positions: readonly TrackPosition[];
  /** Whether there is a place for a position, but it is empty: the tracker has no fix. */
  readonly isEmpty: boolean;
  /** Of the cells and access points beside the positions. */
  readonly cells: string;
  /** After the last position and its cell. */
  readonly tail: readonly string[];
}

export interface TrackPosition {
  readonly at: number;
  readonly place: ReadFields;
  /** Whether the tracker has a fix now. If not, this is where and when it had its last one. */
  readonly isCurrent: boolean;
}

const degrees = /^-?\d{1,3}\.\d{5,8}$/;

/**
 * A position is found by its form, longitude, latitude and time in a row: how many columns come before it depends on model and
 * version, and new models come every year. Only where it is empty do the known lengths of the head count.
 */
export function sectionsOf({ columns }: TrackMessage, headLengths: readonly number[]): Sections {
  const starts = columns.flatMap((_, index) => (isPositionAt(columns, index) ? [index] : []));
  const [first] = starts;
  const last = starts.at(-1);
  if (first !== undefined && last !== undefined) {
    const positions = starts.map((start) => positionOf(columns, start)).filter((position) => position !== null);
    const tail = tailFrom(columns, last);
    const cells = starts.flatMap((start) => columns.slice(start + cellAt, start + locationColumns));
    return { head: columns.slice(0, first), positions, isEmpty: positions.length === 0, cells: cells.join(""), tail };
  }
  const start = headLengths.find((length) => hasEmptyPosition(columns, length));
  if (start === undefined) return { head: [], positions: [], isEmpty: false, cells: "", tail: [] };
  const cells = columns.slice(start + cellAt, start + locationColumns).join("");
  return { head: columns.slice(0, start), positions: [], isEmpty: true, cells, tail: tailFrom(columns, start) };
}

function isPositionAt(columns: readonly string[], start: number): boolean {
  const at = start + longitudeAt;
  // Its length is looked at first: few columns have fourteen characters.
  if (columns[at + 2]?.length !== 14 || !/^\d+$/.test(columns[at + 2] ?? "")) return false;
  return degrees.test(columns[at] ?? "") && degrees.test(columns[at + 1] ?? "");
}

/** An accuracy that is none, and nothing where the place and its time would be. */
function hasEmptyPosition(columns: readonly string[], start: number): boolean {
  if (columns.length < start + locationColumns) return false;
  const place = columns.slice(start + longitudeAt, start + longitudeAt + 3);
  return [columns[start], ...place].every((column) => column === "" || column === "0");
}

/** GT501 lists access points between time and cell: their number, then five columns each. */
function tailFrom(columns: readonly string[], start: number): readonly string[] {
  const countAt = start + longitudeAt + 3;
  const isListed = /^[0-9a-f]{12}$/i.test(columns[countAt + 1] ?? "") && /^\d{1,2}$/.test(columns[countAt] ?? "");
  return columns.slice(start + locationColumns + (isListed ? 1 + 5 * Number(columns[countAt]) : 0));
}

/** Null if its time cannot be, or the place is the one that receivers write when they have none. */
function positionOf(columns: readonly string[], start: number): TrackPosition | null {
  const [accuracy, speed, heading, altitude, longitude, latitude, time] = columns.slice(start);
  const at = queclinkTime(time);
  const [lon, lat] = [queclinkNumber(longitude), queclinkNumber(latitude)];
  if (at === null || lon === null || lat === null || (lon === 0 && lat === 0)) return null;
  const hdop = queclinkNumber(accuracy);
  return {
    at,
    // The manuals: different from NMEA, an accuracy of 0 means that there is no fix.
    isCurrent: hdop !== 0,
    place: {
      fix: true,
      latitude: lat,
      longitude: lon,
      speed_kmh: queclinkNumber(speed),
      heading_deg: queclinkNumber(heading),
      altitude_m: queclinkNumber(altitude),
      hdop: hdop === 0 ? null : hdop,
    },
  };
}
