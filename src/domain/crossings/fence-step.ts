import type { CrossingFact } from "../facts.ts";
import type { FenceRecord } from "./fence-record.ts";

/** What is known of a fence after a frame, and the events that the frame completed. */
export interface FenceStep<Known extends FenceRecord | null = FenceRecord | null> {
  readonly record: Known;
  readonly events: readonly CrossingFact[];
}
