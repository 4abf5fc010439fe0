import { newsMs } from "../../domain/notifications/due.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { type LoggedChange, loggedChanges } from "../../store/changes/changes.ts";
import { viewerCounters } from "../../store/changes/viewer-counters.ts";
import { accountVisibility } from "../../store/changes/viewers.ts";
import type { Database } from "../../store/database.ts";
import { type AlertRow, alerts, alertsAt } from "../../store/facts/alerts.ts";
import { type FollowerRow, moveFollower } from "../../store/notifications/followers.ts";
import type { TimeKey } from "../../store/pages.ts";
import { type ChangedAlert, noteAlerts } from "./note-alerts.ts";

/** Entries of the log that are read together: some milliseconds, since others wait on an embedded store. */
const entriesPerStep = 25;
const alertsPerRead = 200;
const alertType = new Set(["alert"] as const);

/**
 * Reads on in the account's log, by the functions that answer `/changes`, and notes who is to hear of what. One transaction
 * stores both that and the place in the log. Returns whether there may be more.
 */
export async function followAccount(database: Database, follower: FollowerRow, now: number): Promise<boolean> {
  const visibility = accountVisibility(follower.account_id);
  const { seen, last } = await viewerCounters(database, visibility);
  const isWhole = follower.device === Number.MAX_SAFE_INTEGER;
  if (isWhole ? seen.alert <= follower.number : last < follower.number) return false;
  const page = { after: follower, until: last, device: null, types: alertType, count: entriesPerStep };
  const { found, last: reached } = await loggedChanges(database, visibility, page);
  const changed = await changedAlerts(database, visibility, found);
  const place = reached ?? { number: last, device: Number.MAX_SAFE_INTEGER };
  const isMine = await noteAlerts(database, follower.account_id, changed, now, (tx) =>
    moveFollower(tx, follower, place),
  );
  return isMine && reached !== null;
}

async function changedAlerts(
  database: Database,
  visibility: Visibility,
  entries: readonly LoggedChange[],
): Promise<ChangedAlert[]> {
  // Almost every entry is about one moment: those are read together.
  const moments = entries.flatMap(({ device, change }) =>
    (change.periods.alert ?? []).flatMap(([from, until]) => (from === until ? [{ device, at: from }] : [])),
  );
  const atMoments = Map.groupBy(await alertsAt(database, visibility, moments), ({ device, at }) => `${device} ${at}`);
  const changed: ChangedAlert[] = [];
  for (const { device, changedAt, change } of entries) {
    for (const [from, until] of change.periods.alert ?? []) {
      const rows =
        from === until
          ? (atMoments.get(`${device} ${from}`) ?? [])
          : await alertsBetween(database, visibility, device, [Math.max(from, changedAt - newsMs), until]);
      const news = rows.filter(({ received_at }) => received_at > changedAt - newsMs);
      for (const row of news) changed.push({ row, device });
    }
  }
  return changed;
}

async function alertsBetween(
  database: Database,
  visibility: Visibility,
  device: number,
  [from, until]: readonly [number, number],
): Promise<AlertRow[]> {
  const found: AlertRow[] = [];
  const any = { acknowledged: null, severity: null, alertType: null };
  for (let after: TimeKey | null = null; ; ) {
    const page = { device, fromMs: from, toMs: until + 1, after, count: alertsPerRead, ...any };
    const rows: AlertRow[] = await alerts(database, visibility, page);
    found.push(...rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < alertsPerRead) return found;
    after = { at: last.occurred_at, id: last.id };
  }
}
