import { expect, test } from "bun:test";
import { messageFormats } from "../../src/intake/messages.ts";

const imei = "356307042441013";
const at = "2026-03-14T08:15:30Z";

const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/frames": { imei, recorded_at: at, latitude: 1, longitude: 2, speed_kmh: 3, event: "x", driver_id: "y" },
  "/traccar/positions": {
    position: {
      fixTime: at,
      latitude: 1,
      longitude: 2,
      speed: 3,
      attributes: { sat: 7, power: 12, temp1: 4, alarm: "sos", driverUniqueId: "x" },
    },
    device: { uniqueId: imei },
  },
  "/osmand": {
    device_id: imei,
    location: { timestamp: at, coords: { latitude: 1, longitude: 2, heading: 3 }, battery: { level: 1 }, extras: {} },
  },
  "/owntracks": { _type: "location", imei, tst: 1_773_476_130, lat: 1, lon: 2, vel: 3, topic: "a/b/c" },
};

/** What comes near a number, a time or a text, over and over, and what it ends with. */
const units = ["1", "0.", ".", "-", "e1", " ", "\t", "00:", "2026-03-14T", "/", "a", '"', "\\", "_", "%"];
const ends = ["", "x", "Z"];
/** Of a megabyte that may come. What looks at it again for each of its characters takes seconds for this. */
const length = 60_000;
/** Of processor time. What looks at it a few times takes less than a hundredth of it. */
const allowedMs = 1_000;

/** The same with one value, at any depth, exchanged for `text`. */
function* exchanged(object: object, text: string): Generator<object> {
  for (const [name, value] of Object.entries(object)) {
    yield { ...object, [name]: text };
    if (typeof value !== "object" || value === null) continue;
    for (const inner of exchanged(value, text)) yield { ...object, [name]: inner };
  }
}

const texts = units.flatMap((unit) => ends.map((end) => unit.repeat(Math.ceil(length / unit.length)) + end));

for (const [path, sample] of Object.entries(bodies)) {
  test(`${path}: a long value costs no more than its length`, () => {
    const format = messageFormats[path];
    for (const text of texts) {
      for (const body of exchanged(sample, text)) {
        const message = { method: "POST", query: "", headers: new Headers(), body: Buffer.from(JSON.stringify(body)) };
        const before = process.cpuUsage();
        format?.read(message, Date.UTC(2026, 2, 14));
        const { user, system } = process.cpuUsage(before);
        expect([JSON.stringify(body).replace(text, text.slice(0, 20)), (user + system) / 1_000 < allowedMs]).toEqual([
          expect.any(String),
          true,
        ]);
      }
    }
  });
}
