import { type DriveFrame, driveFrames } from "./drive.ts";
import { imeiOf } from "./fleet.ts";

const stepMs = 10_000;

/** Vehicles that send their frames in order, in bodies of some shape or one by one. */
export class SendingFleet {
  readonly #drives: Generator<DriveFrame>[];
  readonly #imeis: readonly string[] | null;
  #next = 0;

  /** `imeis`: those of another fleet than `seedBenchFleet` makes. */
  constructor(devices: number, firstAt: number, imeis: readonly string[] | null = null) {
    this.#imeis = imeis;
    this.#drives = Array.from({ length: devices }, (_, seed) =>
      // Not all at the same millisecond.
      driveFrames({ seed, firstAt: firstAt + seed, count: Number.MAX_SAFE_INTEGER, stepMs }),
    );
  }

  /** Bodies for `POST /frames`: each of so many vehicles, the next in turn, with so many frames of each. */
  bodies(count: number, shape: { readonly vehicles: number; readonly frames: number }): string[] {
    return Array.from({ length: count }, () => {
      const vehicles = Array.from({ length: shape.vehicles }, () => this.#next++ % this.#drives.length);
      return JSON.stringify(
        vehicles.flatMap((vehicle) => Array.from({ length: shape.frames }, () => this.#frame(vehicle))),
      );
    });
  }

  /** Requests as OsmAnd sends them, one frame each, of all vehicles in turn. */
  osmandRequests(count: number, token: string): string[] {
    return Array.from({ length: count }, () => {
      const frame = this.#frame(this.#next++ % this.#drives.length);
      const query = new URLSearchParams({
        id: String(frame.imei),
        timestamp: String(Date.parse(String(frame.recorded_at))),
        lat: String(frame.latitude),
        lon: String(frame.longitude),
        speed: (Number(frame.speed_kmh) / 1.852).toFixed(2),
        bearing: String(frame.heading_deg),
        altitude: String(frame.altitude_m),
        accuracy: String(frame.accuracy_m),
        batt: "98",
        token,
      });
      return `GET /osmand?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    });
  }

  #frame(vehicle: number): Record<string, unknown> {
    const drive = this.#drives[vehicle] as Generator<DriveFrame, never>;
    const { received_at: _, ...frame } = drive.next().value;
    return { imei: this.#imeis?.[vehicle] ?? imeiOf(vehicle + 1), ...frame };
  }
}
