import { getPage, pageLimit } from "../api/pages.ts";
import type { Alert } from "../api/records.ts";

const dayMs = 86_400_000;

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
export type AskAlerts = (from: number, to: number, cursor: string | null) => ReturnType<typeof getPage<Alert>>;

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
export async function withOlder(soFar: AlertsSoFar, ask: AskAlerts): Promise<AlertsSoFar> {
  const { rows, olderThan, from } = soFar;
  if (olderThan === null) return soFar;
  let pieceMs = Math.min(soFar.pieceMs, olderThan - from);
  for (;;) {
    const begin = olderThan - pieceMs;
    const page = await ask(begin, olderThan, null);
    const isWhole = page.next_cursor === null;
    if (!isWhole && pieceMs > leastPieceMs) {
      pieceMs = Math.max(leastPieceMs, Math.ceil(pieceMs / 2));
      continue;
    }
    const found = [...page.data];
    for (let cursor = page.next_cursor; cursor !== null; ) {
      const next = await ask(begin, olderThan, cursor);
      found.push(...next.data);
      cursor = next.next_cursor;
    }
    const next = { from, rows: [...rows, ...found.reverse()], olderThan: begin <= from ? null : begin };
    const isThin = found.length < pageLimit / 2;
    if (found.length > 0 || next.olderThan === null) return { ...next, pieceMs: isThin ? 2 * pieceMs : pieceMs };
    // Nothing happened in this piece: whoever wants to see more wants to see something.
    return withOlder({ ...next, pieceMs: 2 * pieceMs }, ask);
  }
}
