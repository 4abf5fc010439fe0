import { expect, test } from "bun:test";
import fc from "fast-check";
import { writtenText } from "../../../src/api/records/body.ts";
import { writeFrames } from "../../../src/api/records/frames-json.ts";
import { latestPosition } from "../../../src/api/records/latest-position.ts";
import { compareFrames } from "../../../src/domain/frame.ts";
import { formatReported, reportedFields } from "../../../src/domain/reported.ts";
import { accepted } from "../../../src/domain/verdict.ts";
import { encodeFrames, FrameBlock } from "../../../src/store/blocks/frame-block.ts";
import { frameLineOf } from "../../../src/store/blocks/frame-line.ts";
import type { StoredFrame } from "../../../src/store/blocks/stored-frame.ts";
import { type FoundRun, FrameRun } from "../../../src/store/frames/found-frames.ts";
import { anyFrame, ordinary } from "../../support/any-frame.ts";
import { forAll } from "../../support/for-all.ts";

const device = { id: "0b6a2d4e-0000-4000-8000-000000000001", imei: "356307042441013" };
const names = new Map([["🚚", 'Ana "Bo" Ñ']]);

/** The record as anybody would write it. */
function plainRecord({ frame, verdict }: StoredFrame) {
  return {
    device_id: device.id,
    imei: device.imei,
    recorded_at: new Date(frame.recordedAt).toISOString(),
    received_at: new Date(frame.receivedAt).toISOString(),
    ...Object.fromEntries(reportedFields.map((name) => [name, frame[name]])),
    valid: verdict.valid,
    reject_reason: verdict.rejectReason,
    discontinuity: verdict.discontinuity,
    driver_id: frame.driver_id ?? null,
    driver_name: names.get(frame.driver_id ?? "") ?? null,
    time_source: frame.time_source ?? "tracker",
  };
}

/** In runs of so many frames; the last has fewer. */
function inBlock(frames: readonly StoredFrame[], length: number): FoundRun[] {
  if (frames.length === 0) return [];
  const block = new FrameBlock(encodeFrames(frames));
  const starts = frames.keys().filter((index) => index % length === 0);
  return [...starts].map((start) => new FrameRun(block, start, Math.min(start + length, frames.length)));
}

const isShown = ({ frame }: StoredFrame) => {
  const { receivedAt } = frame;
  return receivedAt >= Date.parse("0000-01-01T00:00:00.000Z") && receivedAt <= Date.parse("9999-12-31T23:59:59.999Z");
};

/** As most blocks are: the same verdict, no drivers, many values that all frames share. */
const alike = fc.record({ shared: anyFrame(ordinary), frames: fc.array(anyFrame(ordinary), { maxLength: 30 }) });

test("property: a page over blocks and lines is what JSON.stringify writes of plain objects, whatever trackers sent", () => {
  const frames = fc.array(anyFrame(), { maxLength: 8 });
  const counts = fc.record({ count: fc.nat(50), more: fc.boolean(), length: fc.integer({ min: 1, max: 30 }) });
  forAll(300, [frames, alike, frames, counts], (first, { shared, frames: driven }, last, { count, more, length }) => {
    const ordinaryFrames = driven.map(({ frame }) => ({
      ...{ verdict: accepted, timelyAt: null },
      frame: { ...shared.frame, recordedAt: frame.recordedAt, latitude: frame.latitude, speed_kmh: frame.speed_kmh },
    }));
    const parts = [first, ordinaryFrames, last].map((part) =>
      part.filter(isShown).sort((one, other) => compareFrames(one.frame, other.frame)),
    ) as [StoredFrame[], StoredFrame[], StoredFrame[]];
    const stored = parts.flat();
    const found = [...inBlock(parts[0], length), ...inBlock(parts[1], length), ...parts[2].map(frameLineOf)];
    const limit = more ? count : stored.length;
    let key: unknown = null;
    const text = writtenText((json) => {
      key = writeFrames(json, device, found, limit, names);
    });
    const shown = stored.slice(0, limit);
    expect(text).toBe(JSON.stringify(shown.map(plainRecord)).slice(1, -1));
    const lastShown = shown.length < stored.length ? shown.at(-1)?.frame : undefined;
    expect(key).toEqual(lastShown ? { at: lastShown.recordedAt, digest: lastShown.digest } : null);
  });
});

test("property: a live position says whose time it has, and of its values what any frame says", () => {
  forAll(200, [anyFrame()], ({ frame }) => {
    const row = { ...latestPosition.exampleRow, fields_json: formatReported(frame) };
    const [shown] = JSON.parse(`[${latestPosition.json([row])}]`);
    expect(shown.time_source).toBe(frame.time_source ?? "tracker");
    const values = Object.fromEntries(reportedFields.map((name) => [name, shown[name]]));
    expect(values).toEqual(
      JSON.parse(JSON.stringify(Object.fromEntries(reportedFields.map((name) => [name, frame[name]])))),
    );
  });
});
