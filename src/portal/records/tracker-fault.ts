/** What is wrong with a vehicle's tracker at present. */
export interface TrackerFaultRecord {
  readonly device_id: string;
  /** Negative: it is slow; null: it is right. */
  readonly clock_ahead_s: number | null;
  /** The `tracker_clock` that would put it right. */
  readonly right_clock: string | null;
  readonly shares_imei: boolean;
}
