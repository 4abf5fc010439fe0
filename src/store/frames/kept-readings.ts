import { nothingReported } from "../../domain/frame.ts";
import { ownProblem } from "../../domain/quality/own-verdict.ts";
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
    frame: { ...nothingReported, latitude, longitude, recordedAt, receivedAt, digest, sensors },
    verdict: accepted,
  };
}
