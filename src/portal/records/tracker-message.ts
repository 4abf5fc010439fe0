import type { ShownMessage } from "../../intake/trackers/describe.ts";

/** A message that a vehicle's tracker sent, and what became of it. */
export interface TrackerMessageRecord extends ShownMessage {
  /** Of the process that received it, and counted there: no two have the same. */
  readonly id: string;
  readonly received_at: string;
}

export interface TrackerMessages {
  /** The newest first. */
  readonly data: readonly TrackerMessageRecord[];
  /** Whether this server listens to any family. */
  readonly is_listening: boolean;
}
