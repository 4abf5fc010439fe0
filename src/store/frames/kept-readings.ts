import { ownProblem } from "../../domain/quality/own-verdict.ts";
import type { Reported } from "../../domain/reported.ts";
import { accepted } from "../../domain/verdict.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { editBlocks } from "./frame-blocks.ts";

/** Keeps the readings of a device's frames that are dropped. They stay in blocks, as frames that report nothing else. */
export async function keepReadings(tx: Transaction, key: DeviceKey, dropped: readonly StoredFrame[]): Promise<void> {
  const saved = dropped.filter(({ frame }) => frame.sensors.length > 0).map(readingsOnly);
  if (saved.length > 0) await editBlocks(tx, { ...key, saved, removed: [] }, "reading_blocks");
}

function readingsOnly({ frame }: StoredFrame): StoredFrame {
  const { recordedAt, receivedAt, digest, sensors } = frame;
  const { latitude, longitude } = ownProblem(frame) === null ? frame : nothingReported;
  return {
    frame: {
      ...nothingReported,
      latitude,
      longitude,
      recordedAt,
      receivedAt,
      digest,
      sensors,
      fix: null,
      source: null,
    },
    verdict: accepted,
  };
}

export const nothingReported: Reported = {
  latitude: null,
  longitude: null,
  altitude_m: null,
  speed_kmh: null,
  heading_deg: null,
  accuracy_m: null,
  satellites: null,
  hdop: null,
  ignition: null,
  odometer_km: null,
  battery_percent: null,
  external_voltage_v: null,
  event: null,
};
