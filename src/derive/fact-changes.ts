import type { Fact } from "../domain/facts.ts";
import { factKey } from "../domain/facts.ts";
import { type DatedFact, type FactOwner, factRow } from "../store/fact-rows.ts";
import type { FactRow } from "../store/facts.ts";

export interface FactChanges {
  readonly toSave: readonly FactRow[];
  /** Trips and days that are stored, and have only gone on. */
  readonly toContinue: readonly FactRow[];
  readonly toRemove: readonly FactRow[];
}

/**
 * What has to be written so that the store tells the new facts where it told the old ones: what is new or different is
 * saved, what is no longer told is removed.
 */
export function factChanges(owner: FactOwner, told: readonly DatedFact[], now: readonly DatedFact[]): FactChanges {
  // Mostly a trip and a day: looking through them is quicker than any index of them.
  const before = [...told];
  const toSave: FactRow[] = [];
  const toContinue: FactRow[] = [];
  for (const dated of now) {
    const index = before.findIndex(({ fact }) => isAbout(fact, dated.fact));
    const old = index < 0 ? undefined : before[index];
    if (index >= 0) before.splice(index, 1);
    const isAsComplete = old !== undefined && old.finalAt === dated.finalAt;
    if (isAsComplete && isSameFact(old.fact, dated.fact)) continue;
    const { kind } = dated.fact;
    const goesOn = isAsComplete && dated.finalAt === null && isIndexedAlike(old.fact, dated.fact);
    (goesOn ? toContinue : toSave).push({ kind, row: factRow(owner, dated) });
  }
  const toRemove: FactRow[] = [];
  for (const dated of before) toRemove.push({ kind: dated.fact.kind, row: factRow(owner, dated) });
  return { toSave, toContinue, toRemove };
}

/** Of trips and days, whether they differ in nothing that an index holds. A trip may have ended and not be complete yet. */
function isIndexedAlike(one: Fact, other: Fact): boolean {
  if (other.kind === "trip") return one.kind === "trip" && one.endedAt === other.endedAt;
  return other.kind === "day";
}

/** Whether two are tellings of one fact. */
function isAbout(one: Fact, other: Fact): boolean {
  if (one === other) return true;
  if (one.kind === "trip" && other.kind === "trip") return one.startedAt === other.startedAt;
  if (one.kind === "day" && other.kind === "day") return one.day === other.day;
  return one.kind === other.kind && factKey(one) === factKey(other);
}

/** Facts are flat but for a trip's two places. */
function isSameFact(one: Fact, other: Fact): boolean {
  if (one === other) return true;
  for (const name in other) {
    const left = one[name as keyof Fact] as unknown;
    const right = other[name as keyof Fact] as unknown;
    if (left !== right && !isSamePlace(left, right)) return false;
  }
  return true;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function isSamePlace(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  return (
    (one as Place).latitude === (other as Place).latitude && (one as Place).longitude === (other as Place).longitude
  );
}
