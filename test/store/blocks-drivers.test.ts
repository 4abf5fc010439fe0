import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exampleFrame as drivenFrame } from "../../src/api/records/position.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { encodeFrames, FrameBlock } from "../../src/store/blocks/frame-block.ts";
import { frameDigest } from "../../src/store/blocks/frame-digest.ts";
import { frameLineOf, lineContent } from "../../src/store/blocks/frame-line.ts";
import { anyFrame } from "../support/any-frame.ts";
import { forAll } from "../support/for-all.ts";
import { steadily } from "../support/steady-frames.ts";

const { driver_id: _, ...exampleFrame } = drivenFrame;

describe("a frame without a driver", () => {
  const sensors = [{ kind: "fuel", sensor: "tank_1", level_percent: 62.5, volume_l: null }] as const;

  test("is packed, written and recognised as it was before frames had drivers", () => {
    const frames = Array.from({ length: 120 }, (_, index) => steadily(index, 10_000));
    const [form, ...packed] = encodeFrames(frames);
    const columns = Bun.zstdDecompressSync(new Uint8Array(packed));
    expect([form, columns.length, new Bun.CryptoHasher("sha256").update(columns).digest("hex")]).toEqual([
      1,
      1194,
      "9e8f92b3aeb02e7db5f82d57f07ae33ade5874d35f08280aa0b332fb49df6b24",
    ]);
    expect(lineContent({ frame: { ...exampleFrame, sensors }, verdict: accepted })).toBe(
      '\t\t\t[{"kind":"fuel","sensor":"tank_1","level_percent":62.5,"volume_l":null}]' +
        "\t[52.5200066,13.404954,34.5,46,287.4,3.2,14,0.8,true,184037.912,98,13.842,null]",
    );
    expect(frameDigest(exampleFrame)).toBe(4_789_873_370_054_173);
    expect(frameDigest({ ...exampleFrame, sensors, fix: true, source: "gps", event: "sos" })).toBe(
      8_138_645_078_176_001,
    );
  });

  test("property: has one text, one digest and one block, whether the field is missing or undefined", () => {
    forAll(200, [anyFrame()], ({ frame: { driver_id: _, time_source: __, ...frame }, verdict }) => {
      const [absent, unset] = [frame, { ...frame, driver_id: undefined }];
      expect(frameDigest(unset)).toBe(frameDigest(absent));
      expect(lineContent({ frame: unset, verdict })).toBe(lineContent({ frame: absent, verdict }));
      const [one, other] = [absent, unset].map((each) => encodeFrames([{ frame: each, verdict }]));
      expect(one).toEqual(other as Uint8Array);
      expect(one?.[0]).toBe(1);
    });
  });
});

describe("a driver", () => {
  const drivers = fc.uniqueArray(fc.string({ unit: "binary", minLength: 1, maxLength: 64 }), {
    minLength: 2,
    maxLength: 2,
  });

  test("property: makes another frame of the same, and each driver another", () => {
    forAll(300, [anyFrame(), drivers], ({ frame: { driver_id: _, ...frame } }, [one = "", other = ""]) => {
      const all = [frame, { ...frame, driver_id: one }, { ...frame, driver_id: other }].map((each) =>
        frameDigest(each),
      );
      expect(new Set(all).size).toBe(3);
    });
  });

  test("is part of the digest as JSON, behind everything else: this never changes", () => {
    expect(frameDigest({ ...exampleFrame, driver_id: "00F1A2B3" })).toBe(
      Number(
        Bun.hash.xxHash64(
          `${exampleFrame.recordedAt},null,null,[52.5200066,13.404954,34.5,46,287.4,3.2,14,0.8,true,184037.912,98,13.842,null],"00F1A2B3"`,
        ) >> 11n,
      ),
    );
  });

  test("of all frames of a block takes a few bytes, and none where the others have none", () => {
    const frames = Array.from({ length: 120 }, (_, index) => steadily(index, 10_000));
    const driven = frames.map(({ frame, ...rest }) => {
      const content = { ...frame, driver_id: "00F1A2B3" };
      return { ...rest, frame: { ...content, digest: frameDigest(content) } };
    });
    const [without, withDriver] = [encodeFrames(frames), encodeFrames(driven)];
    expect(withDriver[0]).toBe(2);
    expect(withDriver.length - without.length).toBeLessThan(20);
    expect(new FrameBlock(withDriver).frames()).toEqual(driven);
    expect(new FrameBlock(without).driverId(7)).toBeUndefined();
    const mixed = [...frames.slice(0, 60), ...driven.slice(60)];
    expect(new FrameBlock(encodeFrames(mixed)).frames()).toEqual(mixed);
  });

  test("whose text looks like a sensor or like several values is one text in a row", () => {
    for (const driver_id of ['{"kind":"fuel"}', "a\tb\nc", '"', "\\", "null", "", "[1,2]", "🚚"]) {
      const content = lineContent({ frame: { ...exampleFrame, driver_id }, verdict: accepted });
      expect(content).not.toContain('"kind":"');
      expect(content.split("\t")).toHaveLength(6);
      expect(frameLineOf({ frame: { ...exampleFrame, driver_id }, verdict: accepted }).driverId).toBe(driver_id);
    }
  });
});
