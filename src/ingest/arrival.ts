import type { Frame } from "../domain/frame.ts";
import { type Receipts, repairRollover, timeProblem } from "../domain/quality/clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";
import { frameDigest } from "./frame-digest.ts";
import type { IncomingFrame } from "./incoming-frame.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  /** As the tracker gave it; null if it gave none. */
  readonly sentAt: number | null;
  readonly frame: Frame;
  /** As in `Receipts`. */
  readonly timelyAt: number | null;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

export function arrivalOf(incoming: IncomingFrame): Arrival {
  const { recordedAt: sentAt, receivedAt } = incoming;
  // It has to stand somewhere: a frame without a time is kept under the moment it came.
  const recordedAt = sentAt === null ? receivedAt : repairRollover(sentAt, receivedAt);
  const frame = {
    latitude: incoming.latitude,
    longitude: incoming.longitude,
    altitude_m: incoming.altitude_m,
    speed_kmh: incoming.speed_kmh,
    heading_deg: incoming.heading_deg,
    accuracy_m: incoming.accuracy_m,
    satellites: incoming.satellites,
    hdop: incoming.hdop,
    ignition: incoming.ignition,
    odometer_km: incoming.odometer_km,
    battery_percent: incoming.battery_percent,
    external_voltage_v: incoming.external_voltage_v,
    event: incoming.event,
    recordedAt,
    digest: 0,
    receivedAt,
    fix: incoming.fix,
    source: incoming.source,
    sensors: incoming.sensors,
  };
  frame.digest = frameDigest(frame, sentAt);
  return {
    imei: incoming.imei,
    sentAt,
    frame,
    timelyAt: null,
    timeProblem: sentAt === null ? "time_invalid" : timeProblem(recordedAt, { firstAt: receivedAt, timelyAt: null }),
  };
}

/** The same frame, with what is known of its receipts: they decide where it stands, and whether its time is believed. */
export function withReceipts(arrival: Arrival, receipts: Receipts): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null) return arrival;
  const { firstAt, timelyAt } = receipts;
  const recordedAt = repairRollover(sentAt, firstAt);
  const frame = { ...arrival.frame, recordedAt, receivedAt: firstAt };
  return { ...arrival, frame, timelyAt, timeProblem: timeProblem(recordedAt, receipts) };
}

export function receiptsOf({ frame, timelyAt }: Arrival): Receipts {
  return { firstAt: frame.receivedAt, timelyAt };
}
