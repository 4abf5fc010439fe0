import { isImei, isTrackerId, trackerKey } from "../../domain/text/identifiers.ts";
import { isText, turnsTextAround } from "../../domain/text/text.ts";
import { type TrackerProtocol, trackerProtocols } from "../../domain/tracker-protocols.ts";
import { readDescribedDevice } from "../../fleet/parse/records.ts";
import { CsvRows } from "../../intake/formats/csv-rows.ts";
import type { DescribedVehicle, ReadProblem, RowProblem, SheetVehicle } from "../both-sides/contract/vehicles.ts";
import { describedColumns, type HeadedColumns, headerOf, type SheetColumn, withoutHeader } from "./vehicle-columns.ts";

export interface VehicleRows {
  /** The columns that are read, in the order of the rows. */
  readonly columns: readonly SheetColumn[];
  /** What the columns are called that are not read. */
  readonly ignored: readonly string[];
  readonly rows: readonly SheetVehicle[];
  readonly problems: readonly RowProblem[];
}

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

/** Reads the cells of a spreadsheet: with a header the columns are found by name, without they are IMEI, name, plate. */
export function readVehicleRows(text: string): VehicleRows {
  const rows: SheetVehicle[] = [];
  const problems: RowProblem[] = [];
  const seen: SeenTrackers = { imeis: new Set(), trackerIds: new Set() };
  let unreadable = 0;
  let header: HeadedColumns | null = null;
  const csv = new CsvRows({
    row({ line, cells, lineCount }) {
      if (lineCount > 1) return false;
      if (header === null) {
        header = headerOf(cells);
        if (header !== null) return true;
        header = withoutHeader(cells);
      }
      const row = rowOf(line, cells, header);
      const { tracker_protocol: protocol } = row;
      const described = readDescribedDevice(describedColumns(cells, header));
      const problem = problemOf(row, seen) ?? (typeof described === "string" ? described : null);
      if (problem !== null) problems.push({ line, problem });
      else if (!isProtocol(protocol)) problems.push({ line, problem: "tracker_protocol" });
      else if (typeof described !== "string") rows.push({ ...row, ...described, tracker_protocol: protocol });
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
  // Assigned in the listener, which the compiler does not see.
  const { columns, ignored } = (header as HeadedColumns | null) ?? { columns: [], ignored: [] };
  return { rows, problems, columns: columns.flatMap(({ column }) => column ?? []), ignored };
}

interface ReadRow extends Omit<SheetVehicle, "tracker_protocol" | keyof DescribedVehicle> {
  readonly tracker_protocol: string | null;
}

function rowOf(line: number, cells: readonly string[], { columns }: HeadedColumns): ReadRow {
  const cell = (name: SheetColumn) => (cells[columns.findIndex(({ column }) => column === name)] ?? "").trim();
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

/** The keys of the rows so far. */
interface SeenTrackers {
  readonly imeis: Set<string>;
  readonly trackerIds: Set<string>;
}

function noteTrackers({ imei, tracker_id }: ReadRow, { imeis, trackerIds }: SeenTrackers): void {
  imeis.add(trackerKey(imei));
  if (tracker_id !== null) trackerIds.add(trackerKey(tracker_id));
}

function problemOf({ imei, name, plate, tracker_id }: ReadRow, seen: SeenTrackers): ReadProblem | null {
  if (!isImei(imei)) return "imei";
  if (seen.imeis.has(trackerKey(imei))) return "twice";
  if (!isText(name, 1, 200) || turnsTextAround(name)) return "name";
  if (plate !== null && !isText(plate, 1, 32)) return "plate";
  if (seen.trackerIds.has(trackerKey(imei))) return "tracker_id_twice";
  if (tracker_id === null) return null;
  if (!isTrackerId(tracker_id)) return "tracker_id";
  const key = trackerKey(tracker_id);
  return seen.trackerIds.has(key) || seen.imeis.has(key) ? "tracker_id_twice" : null;
}
