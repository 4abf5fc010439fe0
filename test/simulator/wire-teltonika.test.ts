import { expect, test } from "bun:test";
import fc from "fast-check";
import { teltonika } from "../../src/intake/trackers/teltonika/family.ts";
import { maxTeltonikaRecords, teltonikaLogin, teltonikaPacket } from "../../src/simulator/wire/teltonika.ts";
import { forAll } from "../support/for-all.ts";
import { receivedAt } from "../support/trackers/field-message.ts";

const decode = (message: Uint8Array) => {
  expect(teltonika.cut(message)).toEqual({ kind: "message", length: message.length });
  return teltonika.decode(message, teltonika.begin(), receivedAt);
};

test("a simulated Teltonika logs in with its IMEI", () => {
  const login = teltonikaLogin("356307042441013");
  expect(Buffer.from(login).toString("hex")).toBe("000f333536333037303432343431303133");
  expect(decode(login).identity).toEqual({ kind: "imei", value: "356307042441013" });
});

test("what a simulated Teltonika sends is what the server reads", () => {
  const places = fc.record({
    latitude: fc.integer({ min: 1, max: 899_999_999 }).map((value) => value / 1e7),
    longitude: fc.integer({ min: -1_799_999_999, max: 1_799_999_999 }).map((value) => value / 1e7),
    altitudeMetres: fc.integer({ min: -100, max: 4000 }),
    headingDeg: fc.integer({ min: 0, max: 359 }),
    satellites: fc.integer({ min: 3, max: 20 }),
    speedKmh: fc.integer({ min: 0, max: 200 }),
  });
  const records = fc.array(
    fc.record({
      atMs: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
      place: fc.option(places),
      ignition: fc.boolean(),
      odometerMetres: fc.integer({ min: 0, max: 2_000_000_000 }),
    }),
    { minLength: 1, maxLength: 30 },
  );
  forAll(100, [records], (sent) => {
    const { frames, reply, problem } = decode(teltonikaPacket(sent));
    expect(problem).toBeNull();
    expect([...(reply ?? [])]).toEqual([0, 0, 0, sent.length]);
    const expected = sent.map(({ atMs, place, ignition, odometerMetres }) => ({
      recordedAt: atMs,
      ignition,
      odometer_km: odometerMetres / 1000,
      fix: place !== null,
      latitude: place?.latitude ?? null,
      longitude: place === null ? null : place.longitude + 0,
      altitude_m: place === null ? null : place.altitudeMetres + 0,
      heading_deg: place?.headingDeg ?? null,
      satellites: place?.satellites ?? 0,
      speed_kmh: place?.speedKmh ?? null,
    }));
    expect(frames as object[]).toMatchObject(expected);
  });
});

test("a packet of a simulated Teltonika has one record at least and 255 at most", () => {
  const record = { atMs: Date.UTC(2026, 0), place: null, ignition: false, odometerMetres: 0 };
  const packet = (length: number) => teltonikaPacket(Array.from({ length }, () => record));
  expect(decode(packet(maxTeltonikaRecords)).frames.length).toBe(255);
  expect(() => packet(0)).toThrow(RangeError);
  expect(() => packet(256)).toThrow(RangeError);
});
