/** What is really so with a vehicle at a moment at which its tracker takes a frame. */
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
  /** The engine was started at this moment, after the vehicle had stood for so long; 0 otherwise. */
  readonly startedAfterMs: number;
}
