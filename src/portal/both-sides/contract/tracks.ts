import type { Call, One } from "./envelopes.ts";

/** Drives that were recorded elsewhere. */
export interface TrackRoutes {
  /** GPX, or a table with a header: a whole file, or a piece of it that is one by itself. */
  "PUT /tracks/{device_id}": Call<One<StoredTrack>, Blob>;
}

/** What became of the points of a file. */
export interface StoredTrack {
  readonly added: number;
  /** They were there before. */
  readonly unchanged: number;
  readonly refused: number;
  /** The line of the first that was left out. */
  readonly first_refused: number | null;
  /** When the newest was recorded; null: there is none. */
  readonly last_at: string | null;
}
