import { dayMs } from "../domain/time/time.ts";
import type { Reader } from "../store/database.ts";
import { demoStateOf } from "../store/fleet/demo-accounts.ts";
import type { DemoHistory } from "./both-sides/contract/session.ts";

/** How far the history of a made-up fleet is made, as the program that makes it stores it. */
export interface HistoryMade {
  readonly days: number;
  /** The first moment of its history. */
  readonly from: number;
  /** From when on its history is stored. Null: none of it is there, or it was made as a whole. */
  readonly historyFrom: number | null;
  readonly isComplete: boolean;
}

/** Null: all of it is there. */
export function historyInMaking({ isComplete, days, from, historyFrom }: HistoryMade): DemoHistory | null {
  if (isComplete || historyFrom === null) return null;
  return { days, days_made: Math.max(0, days - Math.ceil((historyFrom - from) / dayMs)) };
}

/** Of a made-up fleet that is beside an owner's own. */
export async function historyBeside(reader: Reader, accountId: number): Promise<DemoHistory | null> {
  const state = await demoStateOf(reader, accountId);
  return state === null ? null : historyInMaking(JSON.parse(state) as HistoryMade);
}
