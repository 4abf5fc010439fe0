import type { Database, Reader } from "../database.ts";

/** Rows of an earlier form, converted in steps before the store is used. */
export interface Conversion {
  readonly what: string;
  /** About how many rows there are in all, with those that are converted already; null: nothing to convert. */
  total(reader: Reader): Promise<number | null>;
  /**
   * Converts about so many rows in one transaction; returns how many it were, 0 if nothing is left (then it has also tidied
   * up). Killed at any moment, it goes on.
   */
  step(database: Database, rows?: number): Promise<number>;
}
