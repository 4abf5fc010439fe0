import { describe, expect, test } from "bun:test";
import { type GalileoskyReport, galileoskyMore } from "../../support/trackers/galileosky-encoder.ts";
import { decodeAs } from "../../support/trackers/one-message.ts";

const sample: GalileoskyReport = {
  ...{ at: Date.UTC(2026, 5, 1), latitude: 52.5, longitude: 13.4, hasFix: true, satellites: 9, speedTenths: 500 },
  ...{ headingTenths: 900, altitudeM: 34, hdopTenths: 9, millivolts: 12_400, metres: 1_000 },
};

function read(...tags: readonly (readonly number[])[]) {
  const reports = tags.map((more, index) => [{ ...sample, at: sample.at + index * 60_000 }, more] as const);
  const { frames, problem, unread } = decodeAs("galileosky", galileoskyMore(reports));
  expect(problem).toBeNull();
  return { frames, unread };
}

describe("tags of Galileosky", () => {
  test("are in the order of the maker's list, which is not that of their numbers", () => {
    // Fuel probes (60) come behind hygrometers (87), user data (e2) and the extended state (48) behind all.
    const tags = [0x87, 3, 20, 128, 0x60, 1, 2, 0x47, 1, 2, 3, 4, 0xe2, 1, 0, 0, 0, 0x48, 3, 0];
    const { frames } = read(tags, tags, tags);
    expect(frames.map(({ recordedAt }) => (recordedAt - sample.at) / 60_000)).toEqual([0, 1, 2]);
    for (const { sensors, latitude, odometer_km } of frames) {
      expect({ sensors, latitude, odometer_km }).toEqual({
        ...{ latitude: 52.5, odometer_km: 1 },
        sensors: [{ kind: "temperature", sensor: "ds1923_8", temperature_c: 20, humidity_percent: 50.2 }],
      });
    }
  });

  test.each([
    // No zone: seven bytes.
    [0, 0],
    // One zone, two thermometers.
    [0b0000_0000_0011_0010, 10 + 2 * 2],
    // All of it.
    [0x7ffe, 30 + 12 + 32 + 20 + 12 + 2 + 2],
  ])("a refrigeration unit of state %i has as many bytes as that says", (state, more) => {
    const unit = [0x5b, 2, state & 255, state >> 8, 0, 0, 0, 0, ...new Array<number>(more).fill(0xd4)];
    const { frames, unread } = read([...unit, 0x90, 7, 0, 0, 0], [...unit, 0x90, 8, 0, 0, 0]);
    expect(frames.map(({ driver_id }) => driver_id)).toEqual(["7", "8"]);
    expect(unread).toContain("refrigeration unit");
  });

  test.each([
    ["gps_antenna_cut", [0x40, 0x40, 0]],
    ["general", [0x40, 0, 0x80]],
    ["jamming", [0x48, 4, 0]],
  ])("%s is an event", (event, tag) => {
    expect(read(tag).frames.map((frame) => frame.event)).toEqual([event]);
  });

  test("other states are none, and the bit for the engine, which is always on, is no ignition", () => {
    expect(read([0x40, 0x3f, 0x7e, 0x48, 3, 0]).frames).toMatchObject([{ event: null, ignition: null }]);
  });
});
