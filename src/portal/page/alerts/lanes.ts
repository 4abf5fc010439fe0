import { bySeverity } from "../../both-sides/alerts/alert-words.ts";
import type { Alert, FollowedChange, Page, Severity } from "../../both-sides/contract/data.ts";
import { pageLimit } from "../../both-sides/lists.ts";
import { getPage } from "../api/pages.ts";
import { type AlertFilter, isOfChosenVehicle, isWanted, parametersOf } from "./alert-filter.ts";

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
    const page = await getPage("alerts", parameters, signal);
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

export type AlertChange = Pick<FollowedChange<"alert">, "id" | "record">;

/** The alerts of each severity that is shown. Pure. */
export type Lanes = Readonly<Partial<Record<Severity, AlertsSoFar>>>;

export function rowsOfLanes(lanes: Lanes): readonly Alert[] {
  return bySeverity.flatMap((severity) => lanes[severity]?.rows ?? []);
}

/**
 * What became known meanwhile. An alert that is listed stays listed, even if it no longer fits, say because it has been
 * acknowledged: nothing disappears under the pointer. One that was withdrawn does, and one that got worse moves.
 */
export function withChanges(lanes: Lanes, changes: readonly AlertChange[], filter: AlertFilter): Lanes {
  return changes.reduce((before, { id, record }) => {
    const listed = rowsOfLanes(before).find(({ alert_id }) => alert_id === id);
    if (record === null) return listed ? withoutAlerts(before, new Set([id])) : before;
    if (listed && listed.severity === record.severity) return withRow(before, record);
    const rest = listed ? withoutAlerts(before, new Set([id])) : before;
    return isWanted(filter, record) ? withNewRow(rest, record) : rest;
  }, lanes);
}

export function withRow(lanes: Lanes, alert: Alert): Lanes {
  return changed(lanes, alert.severity, (rows) => rows.map((row) => (row.alert_id === alert.alert_id ? alert : row)));
}

export function withoutAlerts(lanes: Lanes, ids: ReadonlySet<string>): Lanes {
  return bySeverity.reduce(
    (before, severity) => changed(before, severity, (rows) => rows.filter(({ alert_id }) => !ids.has(alert_id))),
    lanes,
  );
}

/**
 * The alerts before a moment, behind those that are listed. If the list was loaded again meanwhile and ends elsewhere, they
 * do not follow on it.
 */
export function withOlderRows(lanes: Lanes, severity: Severity, before: number | null, older: AlertsSoFar): Lanes {
  const lane = lanes[severity];
  if (lane === undefined || lane.olderThan !== before) return lanes;
  return { ...lanes, [severity]: { ...older, rows: [...lane.rows, ...older.rows] } };
}

/** In its place by time. Before what is loaded there is no place for it yet: it comes with the older ones. */
function withNewRow(lanes: Lanes, alert: Alert): Lanes {
  const olderThan = lanes[alert.severity]?.olderThan ?? null;
  if (olderThan !== null && Date.parse(alert.occurred_at) < olderThan) return lanes;
  return changed(lanes, alert.severity, (rows) => {
    const place = rows.findIndex(({ occurred_at }) => occurred_at <= alert.occurred_at);
    return rows.toSpliced(place === -1 ? rows.length : place, 0, alert);
  });
}

function changed(lanes: Lanes, severity: Severity, change: (rows: readonly Alert[]) => readonly Alert[]): Lanes {
  const lane = lanes[severity];
  return lane === undefined ? lanes : { ...lanes, [severity]: { ...lane, rows: change(lane.rows) } };
}
