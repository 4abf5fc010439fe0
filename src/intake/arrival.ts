import type { Arrival } from "../derive/arrival.ts";
import { repairRollover, timeProblem, usualEarliestMs } from "../domain/quality/clock.ts";
import { giveDigest } from "../store/blocks/frame-digest.ts";
import type { IncomingFrame } from "./incoming-frame.ts";

/** `earliestMs`: of an import, whose frames from then on may be right. It may be earlier than the usual date. */
export function arrivalOf(incoming: IncomingFrame, earliestMs?: number): Arrival {
  const { recordedAt: sentAt, receivedAt } = incoming;
  // It needs a place: a frame without a time is stored under its time of receipt.
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
    driver_id: incoming.driver_id,
    time_source: sentAt === null ? ("receipt" as const) : incoming.time_source,
  };
  const { alarmBytes } = incoming;
  giveDigest(frame, alarmBytes ?? sentAt);
  const times = { firstAt: receivedAt, timelyAt: null };
  const isVouched = sentAt !== null && sentAt >= (earliestMs ?? usualEarliestMs);
  return {
    imei: incoming.imei,
    sentAt,
    frame,
    timelyAt: null,
    isVouched,
    isUtc: earliestMs !== undefined || incoming.time_source === "receipt",
    mayRepeat: alarmBytes !== undefined,
    timeProblem: sentAt === null ? "time_invalid" : timeProblem(recordedAt, times, isVouched),
  };
}
