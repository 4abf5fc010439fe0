import type { TailFrame } from "../domain/fold.ts";
import type { DatedFact } from "../store/fact-rows.ts";

/** The facts that these frames completed. */
export function completedFacts(frames: readonly TailFrame[]): DatedFact[] {
  const dated: DatedFact[] = [];
  for (const { judged, facts } of frames) {
    for (const fact of facts) dated.push({ fact, finalAt: judged.frame.recordedAt });
  }
  return dated;
}
