import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { noReport } from "./random-drive.ts";

const metresPerDegree = 111_195.08;

export interface Waypoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place so many metres north and east of another. */
export function moved({ latitude, longitude }: Waypoint, northMetres: number, eastMetres: number): Waypoint {
  const east = eastMetres / (metresPerDegree * Math.cos((latitude * Math.PI) / 180));
  return { latitude: latitude + northMetres / metresPerDegree, longitude: longitude + east };
}

export interface StraightDrive {
  readonly imei: string;
  readonly from: Waypoint;
  readonly beginAt: number;
  readonly minutes: number;
  readonly kmh: number;
  readonly everyS?: number;
  readonly ignition?: boolean | null;
}

/** Due east at one speed, a frame every ten seconds, each received a second later. */
export function straightDrive(drive: StraightDrive): IncomingFrame[] {
  const { imei, from, beginAt, minutes, kmh, everyS = 10, ignition = true } = drive;
  return Array.from({ length: Math.floor((minutes * 60) / everyS) + 1 }, (_, index) => ({
    ...noReport,
    imei,
    recordedAt: beginAt + index * everyS * 1000,
    receivedAt: beginAt + index * everyS * 1000 + 1000,
    ...moved(from, 0, (kmh / 3.6) * index * everyS),
    speed_kmh: kmh,
    ignition,
  }));
}

/** Where the drive is at its end. */
export function lastPlace(frames: readonly IncomingFrame[]): Waypoint {
  const { latitude, longitude } = frames.at(-1) ?? {};
  if (typeof latitude !== "number" || typeof longitude !== "number") throw new Error("the drive has no last place");
  return { latitude, longitude };
}
