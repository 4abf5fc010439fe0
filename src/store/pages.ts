/** Where a page of a list in time order begins and ends. The window is half-open: `fromMs <= t < toMs`. */
export interface TimePage<After> {
  /** The internal number of the one requested device; null: all that the viewer sees. */
  readonly device: number | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** The key of the last row of the page before. */
  readonly after: After | null;
  readonly count: number;
}

/** The key of a row in a list by time, ties by public id. */
export interface TimeKey {
  readonly at: number;
  readonly id: string;
}

/** Where a page of a list in ascending public id begins. */
export interface IdPage {
  readonly after: string | null;
  readonly count: number;
}
