import type { Change } from "../api/change.ts";
import type { Alert, Severity } from "../api/records.ts";
import { type AlertFilter, isWanted } from "./alert-filter.ts";
import type { AlertsSoFar } from "./load-alerts.ts";

export type AlertChange = Pick<Change<"alert", Alert>, "id" | "record">;

/** The alerts of each severity that is shown. Pure. */
export type Lanes = Readonly<Partial<Record<Severity, AlertsSoFar>>>;

/** The most serious first, whatever order they were chosen in. */
export const bySeverity: readonly Severity[] = ["critical", "warning", "info"];

export function allRows(lanes: Lanes): readonly Alert[] {
  return bySeverity.flatMap((severity) => lanes[severity]?.rows ?? []);
}

/**
 * What became known meanwhile. An alert that is listed stays listed, even if it no longer fits, say because somebody has
 * acknowledged it: nothing disappears under the pointer. One that was withdrawn does, and one that got worse moves.
 */
export function withChanges(lanes: Lanes, changes: readonly AlertChange[], filter: AlertFilter): Lanes {
  return changes.reduce((before, { id, record }) => {
    const listed = allRows(before).find(({ alert_id }) => alert_id === id);
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
