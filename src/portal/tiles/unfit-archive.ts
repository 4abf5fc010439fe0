export type UnfitReason = "no_archive" | "cut_off" | "no_vector_tiles" | "no_roads" | "damaged";

/** The file is not what a map of streets is drawn from, or not all of it. */
export class UnfitArchive extends Error {
  readonly reason: UnfitReason;

  constructor(reason: UnfitReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
