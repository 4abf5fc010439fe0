import { getPage, type Page, pageLimit } from "../api/pages.ts";
import type { Alert } from "../api/records.ts";

const dayMs = 86_400_000;

/** A step back shows at least so many more, if there are. */
export const rowsAtOnce = 100;

/** Below this a piece of time is not divided any more, and all that happened in it is loaded, however much. */
const leastPieceMs = 1000;

export interface AlertFilter {
  /** "false", "true", or "" for both: as the API takes it. */
  readonly acknowledged: string;
  readonly severity: string;
  readonly alertType: string;
  readonly deviceId: string;
  readonly days: string;
}

/** The newest alerts, and where the older ones begin. */
export interface AlertsSoFar {
  /** The newest first. */
  readonly rows: readonly Alert[];
  /** What happened before this moment is not among them; null: that is all of the period. */
  readonly olderThan: number | null;
  readonly from: number;
  /** How long a piece of time to ask for next. */
  readonly pieceMs: number;
}

/** Nothing yet of the period that ends now. */
export function noAlertsYet({ days }: AlertFilter, now: number): AlertsSoFar {
  const periodMs = Number(days) * dayMs;
  return { rows: [], olderThan: now, from: now - periodMs, pieceMs: periodMs };
}

/** The API's answer for a piece of time: at most a page, in the order in which things happened. */
export type AskAlerts = (from: number, to: number, cursor: string | null) => Promise<Page<Alert>>;

export function askAlerts(filter: AlertFilter, signal: AbortSignal): AskAlerts {
  return (from, to, cursor) => {
    const parameters = {
      acknowledged: filter.acknowledged,
      severity: filter.severity,
      alert_type: filter.alertType,
      device_id: filter.deviceId,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      limit: String(pageLimit),
      cursor,
    };
    return getPage<Alert>("alerts", parameters, signal);
  };
}

/**
 * Goes one step back in time. The API tells alerts in the order in which they happened, and a page of it is the oldest
 * part of what was asked for. So the piece of time before what is known is asked for; where it holds more than a page, a
 * half of it, until the page holds the piece whole. A quiet period takes one call, and the newest are never left out.
 */
export async function withOlder(
  soFar: AlertsSoFar,
  ask: AskAlerts,
  wantedRows = soFar.rows.length + rowsAtOnce,
): Promise<AlertsSoFar> {
  const { rows, olderThan, from } = soFar;
  if (olderThan === null) return soFar;
  const pieceMs = Math.min(soFar.pieceMs, olderThan - from);
  const begin = olderThan - pieceMs;
  const page = await ask(begin, olderThan, null);
  if (page.next_cursor !== null && pieceMs > leastPieceMs) {
    return withOlder({ ...soFar, pieceMs: Math.max(leastPieceMs, Math.ceil(pieceMs / 2)) }, ask, wantedRows);
  }
  const found = await withRest(page, (cursor) => ask(begin, olderThan, cursor));
  const next = { from, rows: [...rows, ...found.reverse()], pieceMs };
  if (begin <= from) return { ...next, olderThan: null };
  // Whoever is told that there are older ones must find some; if they fit on a page, they are there with it.
  const before = await ask(from, begin, null);
  if (before.next_cursor === null)
    return { ...next, rows: [...next.rows, ...before.data.toReversed()], olderThan: null };
  const isThin = found.length < pageLimit / 2;
  const older = { ...next, olderThan: begin, pieceMs: isThin ? 2 * pieceMs : pieceMs };
  return older.rows.length >= wantedRows ? older : withOlder(older, ask, wantedRows);
}

async function withRest(page: Page<Alert>, ask: (cursor: string) => Promise<Page<Alert>>): Promise<Alert[]> {
  const rows = [...page.data];
  for (let cursor = page.next_cursor; cursor !== null; ) {
    const next = await ask(cursor);
    rows.push(...next.data);
    cursor = next.next_cursor;
  }
  return rows;
}
