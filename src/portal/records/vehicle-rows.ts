import { isImei, isTrackerId, trackerKey } from "../../domain/text/identifiers.ts";
import { isText, turnsTextAround } from "../../domain/text/text.ts";
import { type TrackerProtocol, trackerProtocols } from "../../domain/tracker-protocols.ts";
import { CsvRows } from "../../intake/formats/csv-rows.ts";

/** A vehicle as a row of a spreadsheet has it. */
export interface VehicleRow {
  readonly line: number;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly tracker_id: string | null;
  readonly tracker_protocol: TrackerProtocol | null;
}

/** What is wrong with a row; the page says it in the person's language. */
export interface RowProblem {
  readonly line: number;
  readonly problem: ReadProblem | "taken" | "tracker_id_taken";
}

type ReadProblem =
  | "unreadable"
  | "imei"
  | "name"
  | "plate"
  | "tracker_id"
  | "tracker_protocol"
  | "twice"
  | "tracker_id_twice";

export interface VehicleRows {
  readonly rows: readonly VehicleRow[];
  readonly problems: readonly RowProblem[];
}

/** What people call the columns, in the languages of the portal. */
const columnNames: readonly (readonly [Column, RegExp])[] = [
  ["imei", /^imei\b/i],
  ["tracker_id", /^(tracker[ _-]*(id|kennung)|(id|identificador) d[eo]l? rastreador)\b/i],
  ["tracker_protocol", /^((tracker[ _-]*)?protocol|protocolo|(tracker-)?protokoll)\b/i],
  ["name", /^(name|nombre|nome|bezeichnung|vehicle|vehículo|veículo|fahrzeug)\b/i],
  ["plate", /^(plate|matr[ií]cula|placa|kennzeichen|registration)\b/i],
];

type Column = "imei" | "name" | "plate" | "tracker_id" | "tracker_protocol";

const usualOrder: readonly (Column | null)[] = ["imei", "name", "plate"];

/** Far more than the rows that are taken at once have. */
const maxLines = 5_000;
const maxCells = 100_000;

/** To find the end of a quote that nothing closes, many lines are read. After so many of them the rest is not. */
const maxUnreadable = 50;

class Unreadable extends Error {}

/** Whether there are more lines, blank or not, or more cells than are worth reading. It takes a moment only. */
export function isTooLong(text: string): boolean {
  let lines = 0;
  let cells = 0;
  for (const [character] of text.matchAll(/[\n,;\t]/g)) {
    if (character === "\n") lines++;
    else cells++;
    if (lines >= maxLines || cells >= maxCells) return true;
  }
  return false;
}

/**
 * Reads the cells of a spreadsheet: with a header the columns are found by name, without they are IMEI, name, plate.
 * What the tracker calls itself and its protocol need a header.
 */
export function readVehicleRows(text: string): VehicleRows {
  const rows: VehicleRow[] = [];
  const problems: RowProblem[] = [];
  const seen: SeenTrackers = { imeis: new Set(), imeiKeys: new Set(), trackerKeys: new Set() };
  let unreadable = 0;
  let columns: readonly (Column | null)[] | null = null;
  const csv = new CsvRows({
    row({ line, cells, lineCount }) {
      if (lineCount > 1) return false;
      if (columns === null) {
        columns = headerOf(cells);
        if (columns !== null) return true;
        columns = usualOrder;
      }
      const row = rowOf(line, cells, columns);
      const { tracker_protocol: protocol } = row;
      const problem = problemOf(row, seen);
      if (problem !== null) problems.push({ line, problem });
      else if (!isProtocol(protocol)) problems.push({ line, problem: "tracker_protocol" });
      else rows.push({ ...row, tracker_protocol: protocol });
      noteTrackers(row, seen);
      return true;
    },
    refused(line) {
      problems.push({ line, problem: "unreadable" });
      if (++unreadable === maxUnreadable) throw new Unreadable();
    },
  });
  try {
    csv.push(text);
    csv.end();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  return { rows, problems };
}

/** Null: the first row is a vehicle already. */
function headerOf(cells: readonly string[]): readonly (Column | null)[] | null {
  const columns = cells.map((cell) => columnNames.find(([, pattern]) => pattern.test(cell.trim()))?.[0] ?? null);
  return columns.includes("imei") ? columns : null;
}

interface ReadRow extends Omit<VehicleRow, "tracker_protocol"> {
  readonly tracker_protocol: string | null;
}

function rowOf(line: number, cells: readonly string[], columns: readonly (Column | null)[]): ReadRow {
  const cell = (column: Column) => (cells[columns.indexOf(column)] ?? "").trim();
  return {
    line,
    // As labels and spreadsheets print it.
    imei: cell("imei").replaceAll(/[\s'-]/g, ""),
    name: cell("name"),
    plate: cell("plate") || null,
    tracker_id: cell("tracker_id").replace(/^'/, "") || null,
    tracker_protocol: cell("tracker_protocol").toLowerCase() || null,
  };
}

function isProtocol(name: string | null): name is TrackerProtocol | null {
  return name === null || (trackerProtocols as readonly string[]).includes(name);
}

/** Of the rows so far. */
interface SeenTrackers {
  readonly imeis: Set<string>;
  readonly imeiKeys: Set<string>;
  readonly trackerKeys: Set<string>;
}

function noteTrackers({ imei, tracker_id }: ReadRow, { imeis, imeiKeys, trackerKeys }: SeenTrackers): void {
  imeis.add(imei);
  imeiKeys.add(trackerKey(imei));
  if (tracker_id !== null) trackerKeys.add(trackerKey(tracker_id));
}

function problemOf({ imei, name, plate, tracker_id }: ReadRow, seen: SeenTrackers): ReadProblem | null {
  if (!isImei(imei)) return "imei";
  if (seen.imeis.has(imei)) return "twice";
  if (!isText(name, 1, 200) || turnsTextAround(name)) return "name";
  if (plate !== null && !isText(plate, 1, 32)) return "plate";
  if (seen.trackerKeys.has(trackerKey(imei))) return "tracker_id_twice";
  if (tracker_id === null) return null;
  if (!isTrackerId(tracker_id)) return "tracker_id";
  const key = trackerKey(tracker_id);
  return seen.trackerKeys.has(key) || seen.imeiKeys.has(key) ? "tracker_id_twice" : null;
}
