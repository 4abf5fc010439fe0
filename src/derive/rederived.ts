/** The result of deriving a device's facts again. */
export interface Rederived {
  readonly frames: number;
  readonly verdictsChanged: number;
  readonly factsSaved: number;
  readonly factsRemoved: number;
  readonly latestChanged: boolean;
}
