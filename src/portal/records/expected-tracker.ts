import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";

/** A tracker that the owner has announced, and whether it has called. */
export interface ExpectedTrackerRecord {
  readonly expected_id: string;
  /** The IMEI or the tracker id, as it was entered. */
  readonly tracker: string;
  readonly entered_at: string;
  /** The last time that it called and was refused; null: not yet. */
  readonly called_at: string | null;
  readonly last_protocol: TrackerProtocol | null;
  /** How often. */
  readonly count: number;
  /** The vehicle of the account that has it by now: its calls are no longer counted here. */
  readonly device_id: string | null;
}
