import { exampleFrame } from "../../src/api/records/position.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";

const { driver_id: _, ...undriven } = exampleFrame;

/** A frame of a drive without a driver, with a digest of its content. */
export function steadily(index: number, everyMs: number): StoredFrame {
  const recordedAt = exampleFrame.recordedAt + index * everyMs;
  const content = {
    ...undriven,
    latitude: Math.round((52.5 + index * 0.0007 + Math.sin(index) * 0.0001) * 1e7) / 1e7,
    longitude: Math.round((13.4 + index * 0.0009) * 1e7) / 1e7,
    odometer_km: Math.round((184_037 + index * 0.123) * 1000) / 1000,
    recordedAt,
    receivedAt: recordedAt + 800 + ((index * 37) % 100),
  };
  return { frame: { ...content, digest: frameDigest(content) }, verdict: accepted, timelyAt: null };
}
