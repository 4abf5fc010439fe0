import type { Fact } from "../../domain/facts.ts";
import type { Reader, Row } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { type FactRow, isSameRow, mileageDayFact, rowKey, tripOrCrossing } from "../../store/facts/facts.ts";
import { type FoldProgress, foldProgress, isWaiting } from "../../store/facts/folds.ts";
import { AccountContexts, type TrackedContext } from "../context.ts";
import { factRows } from "../diff.ts";
import { explainCrossing } from "./crossing.ts";
import { explainDay } from "./day.ts";
import type { DayPart } from "./day-parts.ts";
import { type Retrace, retrace } from "./retrace.ts";
import { explainTrip } from "./trip.ts";
import { type ExplainedSection, rowLines, writtenInstant } from "./words.ts";

/** Why a stored row is as it is. */
export interface Explanation {
  readonly kind: FactRow["kind"];
  readonly imei: string;
  /** What to know first: the row may be about to change, or its frames may be gone. */
  readonly notes: readonly string[];
  /** Whether the stored frames give the row as it is stored. Null if they are not stored any more. */
  readonly isAsStored: boolean | null;
  readonly sections: readonly ExplainedSection[];
  /** Of a day: what it adds up from. */
  readonly parts: readonly DayPart[];
}

/** How often frames may arrive while their facts are being explained. */
const maxAttempts = 5;

export function explainId(reader: Reader, id: string): Promise<Explanation | null> {
  return explained(reader, () => tripOrCrossing(reader, id));
}

/** A day since 1970-01-01, in the account's time zone. */
export function explainMileage(reader: Reader, key: DeviceKey, day: number): Promise<Explanation | null> {
  return explained(reader, () => mileageDayFact(reader, key, day));
}

/** Null if there is no such row. If frames arrive meanwhile, it begins again, so that the row and its frames belong together. */
async function explained(reader: Reader, find: () => Promise<FactRow | null>): Promise<Explanation | null> {
  for (let attempt = 1; ; attempt++) {
    const found = await find();
    if (found === null) return null;
    const key = { accountId: Number(found.row.account_id), device: Number(found.row.device) };
    const progress = await foldProgress(reader, key);
    const stored = await find();
    const context = await new AccountContexts().ofDevice(reader, key);
    if (stored === null || context === null) return null;
    const explanation = await explainRow(reader, context.tracked, progress, stored);
    const { revision } = await foldProgress(reader, key);
    if (revision === progress.revision || attempt === maxAttempts) return explanation;
  }
}

async function explainRow(
  reader: Reader,
  tracked: TrackedContext,
  progress: FoldProgress,
  stored: FactRow,
): Promise<Explanation> {
  const { kind, row } = stored;
  const isDay = kind === "day";
  const from = isDay ? tracked.derivation.zone.startOf(Number(row.day)) : Number(row.started_at ?? row.occurred_at);
  const until = Number(row.final_at);
  const about = { kind, imei: tracked.imei };
  const says: ExplainedSection = { title: "The row", lines: rowLines(stored) };
  const droppedUntil = progress.droppedUntil ?? 0;
  if (until <= droppedUntil) {
    const notes = [
      `The frames up to ${writtenInstant(droppedUntil)} were dropped, so nothing can be said but what the row says.`,
    ];
    return { ...about, notes, isAsStored: null, sections: [says], parts: [] };
  }
  const traced = await retrace(reader, tracked, progress, { from, until });
  const rows = factRows(tracked, traced.facts);
  const index = rows.findIndex((fresh) => rowKey(fresh) === rowKey(stored));
  const differing = rows[index] && Object.keys(rows[index].row).filter((column) => !isSame(row, rows[index], column));
  const notes: string[] = [];
  if (from <= droppedUntil)
    notes.push(`The frames up to ${writtenInstant(droppedUntil)} were dropped: they are not explained.`);
  notes.push(...pending(progress, differing ?? null));
  const fact = traced.facts[index]?.fact;
  const { sections, parts } = fact === undefined ? nothing : reasons(traced, fact, tracked);
  return { ...about, notes, isAsStored: differing?.length === 0, sections: [says, ...sections], parts };
}

function isSame(stored: Row, fresh: FactRow | undefined, column: string): boolean {
  return isSameRow(stored, { [column]: fresh?.row[column] ?? null });
}

/** Why the row may be about to change. `differing`: its columns that the frames give otherwise now; null if they do not give it. */
function pending(progress: FoldProgress, differing: readonly string[] | null): string[] {
  if (differing?.length === 0) return [];
  const why = isWaiting(progress) ? "it follows earlier rules" : "frames came late, or the fleet has changed";
  const how =
    differing === null
      ? "The stored frames do not give this row now"
      : `The stored frames now give another ${differing.join(", ")}`;
  return [`${how}: ${why}, and it waits to be derived again. What follows is by the present rules.`];
}

const nothing = { sections: [], parts: [] } as const;

function reasons(traced: Retrace, fact: Fact, { derivation }: TrackedContext): Pick<Explanation, "sections" | "parts"> {
  switch (fact.kind) {
    case "trip":
      return { sections: explainTrip(traced, fact), parts: [] };
    case "crossing":
      return { sections: explainCrossing(traced, fact, derivation), parts: [] };
    case "day":
      return explainDay(traced, fact.day, derivation.zone) ?? nothing;
    case "alert":
    case "stop":
      return nothing;
  }
}
