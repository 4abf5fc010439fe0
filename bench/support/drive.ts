/**
 * What the tracker of a vehicle sends: drives of some minutes to an hour, stands between them, and noise as receivers have
 * it, in the digits that trackers send. A vehicle parks for its last hour, so that no trip is open at the end.
 */
export interface DriveOptions {
  /** The same seed drives the same way. */
  readonly seed: number;
  readonly firstAt: number;
  readonly count: number;
  readonly stepMs: number;
}

export interface DriveFrame {
  readonly recorded_at: string;
  readonly received_at: string;
  readonly [field: string]: unknown;
}

const metresPerDegree = 111_195;
const parkedMs = 3_600_000;

/** Frames without the IMEI, in order. */
export function* driveFrames({ seed, firstAt, count, stepMs }: DriveOptions): Generator<DriveFrame> {
  const random = randomNumbers(seed);
  const noise = () => random() + random() + random() - 1.5;
  let latitude = 45 + random() * 8;
  let longitude = 5 + random() * 9;
  let [speed, cruise, heading, altitude, odometer] = [0, 0, random() * 360, 50 + random() * 400, 1000];
  let phaseEnds = firstAt + random() * parkedMs;
  let isDriving = false;
  const lastAt = firstAt + (count - 1) * stepMs;
  for (let index = 0; index < count; index++) {
    const at = firstAt + index * stepMs;
    if (isDriving && at > lastAt - parkedMs) isDriving = false;
    else if (at >= phaseEnds && at <= lastAt - parkedMs) {
      isDriving = !isDriving;
      phaseEnds = at + (isDriving ? 300_000 + random() * 3_300_000 : 600_000 + random() * 5_400_000);
    }
    // City, road and motorway in turns; a traffic light now and then.
    if (random() < 0.03) cruise = random() < 0.25 ? 0 : 25 + random() * 75;
    speed = isDriving ? Math.max(0, speed + (cruise - speed) * 0.4 + noise() * 4) : 0;
    heading = (heading + (speed > 0 ? noise() * 12 : 0) + 360) % 360;
    const metres = (speed / 3.6) * (stepMs / 1000);
    const radians = (heading / 180) * Math.PI;
    latitude += (metres * Math.cos(radians)) / metresPerDegree;
    longitude += (metres * Math.sin(radians)) / (metresPerDegree * Math.cos((latitude / 180) * Math.PI));
    altitude = Math.max(0, altitude + noise() * (speed > 0 ? 2 : 0.5));
    odometer += metres / 1000;
    // A receiver scatters by some metres while driving, and by decimetres on a parked vehicle.
    const scatter = (speed > 0 ? 3 : 0.4) / metresPerDegree;
    yield {
      recorded_at: new Date(at).toISOString(),
      received_at: new Date(at + 800 + Math.floor(random() * 2_500)).toISOString(),
      latitude: rounded(latitude + noise() * scatter, 6),
      longitude: rounded(longitude + noise() * scatter, 6),
      altitude_m: rounded(altitude, 1),
      speed_kmh: rounded(speed, 1),
      heading_deg: rounded(heading, 1),
      accuracy_m: rounded(3 + random() * 3, 1),
      satellites: 9 + Math.floor(random() * 5),
      hdop: rounded(0.7 + random() * 0.5, 1),
      ignition: isDriving,
      odometer_km: rounded(odometer, 3),
      battery_percent: 98,
      external_voltage_v: rounded((isDriving ? 13.8 : 12.5) + noise() * 0.1, 2),
    };
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Between 0 and 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
