import { type AlertType, type Severity, severities } from "../alert-types.ts";

/**
 * Newer rules and late frames move the moment of an alert, and with it its id: one goes and another comes. What people did about
 * the one that went (acknowledged it, were mailed of it) belongs to the one that came.
 */

export interface AlertSpan {
  readonly id: string;
  readonly alertType: AlertType;
  readonly fenceId: string | null;
  readonly occurredAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
  readonly severity: Severity;
  readonly isAcknowledged: boolean;
}

export interface GoneAlert extends AlertSpan {
  /** What was acknowledged, though it may have become worse since; else its own. */
  readonly severity: Severity;
  /** Of one that went in an earlier transaction: when it was acknowledged or mailed. Null: it goes now. */
  readonly knownAt: number | null;
}

export interface MovedAlert<Gone extends GoneAlert, Coming extends AlertSpan> {
  readonly from: Gone;
  readonly to: Coming;
}

/** Rules move a moment by seconds, late frames by minutes. What begins further off is another event, unless they overlap. */
const nearMs = 10 * 60_000;
/** What begins later than this after people have dealt with an alert that went is news: most rules count repeats as one so long. */
const sameEventMs = 60_000;

/**
 * Which alerts are which: one to one, the nearest first. An acknowledged one that is left over then takes the place of one that is
 * not, or of one that finds another place: no acknowledgement is lost as long as there are alerts for all of them. `isOfRule`:
 * whether both are of one rule, where type and fence do not say so.
 */
export function movedAlerts<Gone extends GoneAlert, Coming extends AlertSpan>(
  gone: readonly Gone[],
  coming: readonly Coming[],
  isOfRule: (gone: Gone, coming: Coming) => boolean,
): MovedAlert<Gone, Coming>[] {
  const pairs = possiblePairs(gone, coming, isOfRule);
  const holders = new Map<Coming, Gone>();
  const placed = new Set<Gone>();
  for (const { from, to } of pairs) {
    if (placed.has(from) || holders.has(to)) continue;
    placed.add(from);
    holders.set(to, from);
  }
  const placesOf = Map.groupBy(pairs, ({ from }) => from);
  // They have lost their place, and not what they carry: both go to the same alert.
  const ousted: MovedAlert<Gone, Coming>[] = [];
  const findPlace = (from: Gone, seen: Set<Coming>): boolean => {
    for (const { to } of placesOf.get(from) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      const holder = holders.get(to);
      if (holder?.isAcknowledged && !findPlace(holder, seen)) continue;
      if (holder !== undefined && !holder.isAcknowledged) ousted.push({ from: holder, to });
      holders.set(to, from);
      return true;
    }
    return false;
  };
  for (const from of gone) if (from.isAcknowledged && !placed.has(from)) findPlace(from, new Set());
  return [...Array.from(holders, ([to, from]) => ({ from, to })), ...ousted];
}

/** The nearest first. Of those that are as near, the order does not depend on how they came here. */
function possiblePairs<Gone extends GoneAlert, Coming extends AlertSpan>(
  gone: readonly Gone[],
  coming: readonly Coming[],
  isOfRule: (gone: Gone, coming: Coming) => boolean,
): MovedAlert<Gone, Coming>[] {
  const byRule = Map.groupBy(coming, ruleOf);
  const pairs = gone.flatMap((from) =>
    (byRule.get(ruleOf(from)) ?? []).flatMap((to) =>
      isPossible(from, to) && isOfRule(from, to) ? [{ from, to }] : [],
    ),
  );
  return pairs.sort(
    (one, other) =>
      distanceOf(one) - distanceOf(other) || byText(one.from.id, other.from.id) || byText(one.to.id, other.to.id),
  );
}

function ruleOf({ alertType, fenceId }: AlertSpan): string {
  return `${alertType} ${fenceId ?? ""}`;
}

function isPossible(from: GoneAlert, to: AlertSpan): boolean {
  if (rankOf(to.severity) > rankOf(from.severity)) return false;
  // It has come back with its own.
  if (from.isAcknowledged && to.isAcknowledged) return false;
  return to.occurredAt <= reachOf(from) && (to.occurredAt >= from.occurredAt - nearMs || endOf(to) >= from.occurredAt);
}

/** No alert that begins later can be this one. */
export function reachOf({
  occurredAt,
  endedAt,
  knownAt,
}: Pick<GoneAlert, "occurredAt" | "endedAt" | "knownAt">): number {
  const near = Math.max(occurredAt + nearMs, endOf({ endedAt }));
  return knownAt === null ? near : Math.min(near, Math.max(knownAt, occurredAt) + sameEventMs);
}

function endOf({ endedAt }: Pick<AlertSpan, "endedAt">): number {
  return endedAt ?? Number.MAX_SAFE_INTEGER;
}

function rankOf(severity: Severity): number {
  return severities.indexOf(severity);
}

function distanceOf({ from, to }: MovedAlert<GoneAlert, AlertSpan>): number {
  return Math.abs(from.occurredAt - to.occurredAt);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
