import { getPage, type Page, pageLimit } from "../api/pages.ts";
import type { Alert, Severity } from "../api/records.ts";
import { type AlertFilter, isOfChosenVehicle, parametersOf } from "./alert-filter.ts";

/** A step back shows at least this many more alerts, if there are any. */
export const rowsAtOnce = 100;

/** A shorter period is not halved again: all its alerts are loaded, however many. */
const minPieceMs = 1000;

/** The newest alerts, and where the older ones begin. */
export interface AlertsSoFar {
  /** The newest first. */
  readonly rows: readonly Alert[];
  /** Alerts before this moment are not loaded yet; null: all of the period are loaded. */
  readonly olderThan: number | null;
  readonly from: number;
  /** The length of the next period to load. */
  readonly pieceMs: number;
}

export function noAlertsYet({ from, to }: { readonly from: number; readonly to: number }): AlertsSoFar {
  return { rows: [], olderThan: to, from, pieceMs: to - from };
}

/** Alerts of a period from the API: at most a page, the oldest first. */
export type FetchAlerts = (from: number, to: number, cursor: string | null) => Promise<Page<Alert>>;

/** Several vehicles are chosen here: the API takes one or all. */
export function alertFetcher(filter: AlertFilter, severity: Severity, signal: AbortSignal): FetchAlerts {
  return async (from, to, cursor) => {
    const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const parameters = { ...parametersOf(filter), severity, ...window, limit: String(pageLimit), cursor };
    const page = await getPage<Alert>("alerts", parameters, signal);
    return { ...page, data: page.data.filter((alert) => isOfChosenVehicle(filter, alert)) };
  };
}

/**
 * Goes one step back in time. The API lists the oldest alerts first, so a page of a long period lacks its newest alerts. So we
 * load the period before what is known; if it has more than a page, the newer half of it, and so on until one page holds all.
 * A quiet period takes one request.
 */
export async function withOlder(
  soFar: AlertsSoFar,
  fetchAlerts: FetchAlerts,
  wantedRows = soFar.rows.length + rowsAtOnce,
): Promise<AlertsSoFar> {
  const { rows, olderThan, from } = soFar;
  if (olderThan === null) return soFar;
  const pieceMs = Math.min(soFar.pieceMs, olderThan - from);
  const begin = olderThan - pieceMs;
  const page = await fetchAlerts(begin, olderThan, null);
  if (page.next_cursor !== null && pieceMs > minPieceMs) {
    return withOlder({ ...soFar, pieceMs: Math.max(minPieceMs, Math.ceil(pieceMs / 2)) }, fetchAlerts, wantedRows);
  }
  const found = await withRest(page, (cursor) => fetchAlerts(begin, olderThan, cursor));
  const next = { from, rows: [...rows, ...found.reverse()], pieceMs };
  if (begin <= from) return { ...next, olderThan: null };
  // The page offers older alerts only if there are some. If they fit on a page, they are added at once.
  const before = await fetchAlerts(from, begin, null);
  if (before.next_cursor === null)
    return { ...next, rows: [...next.rows, ...before.data.toReversed()], olderThan: null };
  const isThin = found.length < pageLimit / 2;
  const older = { ...next, olderThan: begin, pieceMs: isThin ? 2 * pieceMs : pieceMs };
  return older.rows.length >= wantedRows ? older : withOlder(older, fetchAlerts, wantedRows);
}

async function withRest(page: Page<Alert>, fetchAlerts: (cursor: string) => Promise<Page<Alert>>): Promise<Alert[]> {
  const rows = [...page.data];
  for (let cursor = page.next_cursor; cursor !== null; ) {
    const next = await fetchAlerts(cursor);
    rows.push(...next.data);
    cursor = next.next_cursor;
  }
  return rows;
}
