/** The true state of a vehicle when its tracker records a frame. */
export interface Moment {
  readonly at: number;
  latitude: number;
  longitude: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly ignition: boolean;
  readonly isDriving: boolean;
  readonly isInTunnel: boolean;
  /** Driven since the day began. */
  readonly metres: number;
  readonly fuelL: number;
  /** If the engine was started at this moment, how long the vehicle had stood; 0 otherwise. */
  readonly startedAfterMs: number;
}
