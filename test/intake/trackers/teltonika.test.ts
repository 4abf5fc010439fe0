import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { teltonika } from "../../../src/intake/trackers/teltonika/family.ts";
import { forAll } from "../../support/for-all.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import {
  bytesOfHex,
  hexNumber,
  type SentCodec,
  type SentRecord,
  sentData,
  sentDatagram,
  sentLogin,
  sentPacket,
} from "../../support/trackers/teltonika-encoder.ts";

const imei = "356307042441013";
const codecs: readonly SentCodec[] = ["8", "8 extended", "16"];
const record: SentRecord = {
  time: Date.UTC(2026, 10, 17, 9, 30),
  longitude: 25.2793,
  latitude: 54.6872,
  altitude: 112,
  angle: 87,
  satellites: 11,
  speed: 52,
  eventId: 239,
  elements: [
    { id: 239, value: "01" },
    { id: 66, value: hexNumber(12_840, 2) },
    { id: 16, value: hexNumber(1_234_567, 4) },
    { id: 78, value: "01000b00791c1793" },
  ],
};

function decode(message: Uint8Array, session = teltonika.begin()) {
  return teltonika.decode(message, session, receivedAt);
}

const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString("hex"));

testStreamRules(teltonika, [
  sentLogin(imei),
  sentPacket("8", [record, { ...record, satellites: 0 }]),
  sentPacket("8 extended", [{ ...record, elements: [...(record.elements ?? []), { id: 385, value: "112233" }] }]),
  Uint8Array.of(0xff),
  sentPacket("16", [record]),
  sentDatagram(imei, "8", [record]),
  sentData("0c010600000007676574696e666f01"),
]);

describe("what a tracker wrote is read", () => {
  const times = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2099, 0) });
  const elements = fc.record({
    ignition: fc.option(fc.boolean()),
    millivolts: fc.option(fc.integer({ min: 0, max: 65_535 })),
    metres: fc.option(fc.integer({ min: 0, max: 0xffff_ffff })),
    dallasTenths: fc.option(fc.integer({ min: -550, max: 800 })),
    percent: fc.option(fc.integer({ min: 0, max: 100 })),
  });
  const records = fc.array(
    fc.record({
      time: times,
      longitude: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
      latitude: fc.integer({ min: -900_000_000, max: 900_000_000 }),
      altitude: fc.integer({ min: -500, max: 9000 }),
      angle: fc.integer({ min: 0, max: 360 }),
      satellites: fc.integer({ min: 0, max: 40 }),
      speed: fc.integer({ min: 0, max: 350 }),
      priority: fc.integer({ min: 0, max: 2 }),
      elements,
    }),
    { minLength: 1, maxLength: 20 },
  );

  function sent({ elements, longitude, latitude, ...rest }: Values): SentRecord {
    const { ignition, millivolts, metres, dallasTenths, percent } = elements;
    const written = [
      ignition === null ? [] : [{ id: 239, value: ignition ? "01" : "00" }],
      percent === null ? [] : [{ id: 113, value: hexNumber(percent, 1) }],
      millivolts === null ? [] : [{ id: 66, value: hexNumber(millivolts, 2) }],
      metres === null ? [] : [{ id: 16, value: hexNumber(metres, 4) }],
      dallasTenths === null ? [] : [{ id: 72, value: hexNumber(dallasTenths, 4) }],
    ];
    return { ...rest, longitude: longitude / 1e7, latitude: latitude / 1e7, elements: written.flat() };
  }

  function meant({ elements, time, longitude, latitude, altitude, angle, satellites, speed }: Values) {
    const { ignition, millivolts, metres, dallasTenths, percent } = elements;
    const fix = satellites > 0 && (longitude !== 0 || latitude !== 0);
    const temperature = { kind: "temperature", sensor: "dallas_1", humidity_percent: null } as const;
    return {
      recordedAt: time,
      fix,
      latitude: fix ? latitude / 1e7 + 0 : null,
      longitude: fix ? longitude / 1e7 + 0 : null,
      altitude_m: fix ? altitude : null,
      heading_deg: fix ? angle : null,
      speed_kmh: fix ? speed : null,
      satellites,
      ignition,
      battery_percent: percent,
      external_voltage_v: millivolts === null ? null : millivolts / 1000,
      odometer_km: metres === null ? null : metres / 1000,
      sensors: dallasTenths === null ? [] : [{ ...temperature, temperature_c: dallasTenths / 10 }],
      event: null,
    };
  }

  type Values = typeof records extends fc.Arbitrary<(infer Value)[]> ? Value : never;

  for (const codec of codecs) {
    test(`by codec ${codec}, over TCP and UDP`, () => {
      forAll(100, [records], (values) => {
        const sentRecords = values.map(sent);
        const expected = values.map(meant);
        const overTcp = decode(sentPacket(codec, sentRecords));
        expect(overTcp.frames as object[]).toMatchObject(expected);
        expect(hex(overTcp.reply)).toBe(hexNumber(values.length, 4));
        expect(overTcp).toMatchObject({ problem: null, leftOut: [] });
        expect(beyondRoutine(overTcp.unread)).toEqual([]);
        const overUdp = decode(sentDatagram(imei, codec, sentRecords));
        expect(overUdp.frames).toEqual(overTcp.frames);
        expect(hex(overUdp.reply)).toBe(`0005cafe0105${hexNumber(values.length, 1)}`);
        expect(overUdp.identity).toEqual({ kind: "imei", value: imei });
      });
    });
  }

  test("records stay in the order of the packet, whatever their times", () => {
    const packet = [3, 1, 2].map((hour) => ({ ...record, time: Date.UTC(2026, 0, 1, hour) }));
    const { frames } = decode(sentPacket("8", packet));
    expect(frames.map(({ recordedAt }) => new Date(recordedAt).getUTCHours())).toEqual([3, 1, 2]);
  });

  test("255 records fit into one packet", () => {
    const decoded = decode(
      sentPacket(
        "8 extended",
        Array.from({ length: 255 }, () => record),
      ),
    );
    expect(decoded.frames.length).toBe(255);
    expect(hex(decoded.reply)).toBe("000000ff");
  });
});

describe("login", () => {
  test("is answered with 1", () => {
    const { identity, reply, frames } = decode(sentLogin(imei));
    expect(identity).toEqual({ kind: "imei", value: imei });
    expect(hex(reply)).toBe("01");
    expect(frames).toEqual([]);
  });

  test("and data may come in one piece", () => {
    const stream = new MessageStream(teltonika);
    const both = Buffer.concat([sentLogin(imei), sentPacket("8", [record])]);
    const whats = [...stream.push(both)].map((message) => decode(message).what);
    expect(whats).toEqual(["login", "codec 8, 1 record"]);
  });

  test("a ping needs no answer", () => {
    expect(decode(Uint8Array.of(0xff))).toMatchObject({ what: "ping", reply: null, problem: null });
  });
});

describe("a packet with a wrong checksum", () => {
  const damaged = sentPacket("8", [record], 0x1234);

  test("is asked for again, and none of it is stored", () => {
    const decoded = decode(damaged);
    expect(decoded.frames).toEqual([]);
    expect(decoded.problem?.kind).toBe("checksum");
    expect(decoded.problem?.detail).toMatch(/^the checksum is 0x1234, not 0x[0-9a-f]+$/);
    expect(hex(decoded.reply)).toBe("00000000");
  });

  test("is stored when the tracker sends the very same again, or it would come for ever", () => {
    const again = decode(damaged, decode(damaged).session);
    expect(again.frames.length).toBe(1);
    expect(again.problem?.kind).toBe("checksum");
    expect(hex(again.reply)).toBe("00000001");
    expect(again.session).toEqual(teltonika.begin());
  });

  test("is not stored when other bytes come: that was damage on the way", () => {
    const other = sentPacket("8", [{ ...record, speed: 53 }], 0x1234);
    expect(decode(other, decode(damaged).session).frames).toEqual([]);
    const right = decode(sentPacket("8", [record]), decode(damaged).session);
    expect(right).toMatchObject({ problem: null, session: teltonika.begin() });
    expect(right.frames.length).toBe(1);
  });

  test("is not answered if it holds no records", () => {
    expect(decode(sentData("0c010600000007676574696e666f01", 1)).reply).toBeNull();
  });
});

describe("what cannot be read is named and counts as handled", () => {
  test("records that do not fill the packet", () => {
    const decoded = decode(sentData("0802aabb02"));
    expect(decoded.problem).toEqual({ kind: "malformed", detail: "the records do not fill the packet" });
    expect(hex(decoded.reply)).toBe("00000000");
    expect(decoded.frames).toEqual([]);
    // It does not get better: the second time it counts as handled, or it would come for ever.
    expect(hex(decode(sentData("0802aabb02"), decoded.session).reply)).toBe("00000002");
  });

  test("of a packet that was cut, what can be read is stored, and no more is answered", () => {
    const whole = sentPacket("8", [record, record, record]);
    const data = Buffer.from(whole).subarray(8, -4);
    const cut = Buffer.concat([data.subarray(0, data.length - 4), data.subarray(-1)]).toString("hex");
    const decoded = decode(sentData(cut));
    expect(decoded.frames.length).toBe(2);
    expect(hex(decoded.reply)).toBe("00000002");
    const datagram = sentDatagram("356307042441013", "8", [record, record, record]);
    const short = Buffer.concat([datagram.subarray(0, -21), datagram.subarray(-1)]);
    short.writeUInt16BE(short.length - 2, 0);
    expect(decode(short)).toMatchObject({ reply: null, problem: { kind: "malformed" } });
  });

  test("a record without a time, while the others are stored", () => {
    const decoded = decode(sentPacket("8", [{ ...record, time: 0 }, record, { ...record, time: 2 ** 62 }]));
    expect(decoded.problem).toEqual({ kind: "no_time", detail: "2 of 3 records without a time" });
    expect(decoded.frames.length).toBe(1);
    expect(hex(decoded.reply)).toBe("00000003");
  });

  test("an unknown codec", () => {
    const decoded = decode(sentData("0501aabbcc01"));
    expect(decoded.problem).toEqual({ kind: "unknown_message", detail: "codec 0x05" });
    expect(decoded.reply).toBeNull();
  });

  for (const [codec, name] of [
    ["0c", "codec 12"],
    ["0d", "codec 13"],
    ["0e", "codec 14"],
    ["0f", "codec 15"],
  ] as const) {
    test(`the text of ${name}, which wants no answer`, () => {
      const decoded = decode(sentData(`${codec}010600000007676574696e666f01`));
      expect(decoded).toMatchObject({
        frames: [],
        reply: null,
        problem: null,
        unread: [`text of ${name}`, `kind of ${name}`],
      });
    });
  }

  test("a field out of bounds, while the frame is stored", () => {
    const { frames, leftOut } = decode(sentPacket("8", [{ ...record, satellites: 248, angle: 400 }]));
    expect(leftOut.toSorted()).toEqual(["heading_deg", "satellites"]);
    expect(frames[0]).toMatchObject({ fix: true, satellites: null, heading_deg: null, speed_kmh: 52 });
  });
});

describe("over UDP", () => {
  test("a packet that wants its own acknowledgement gets it before the count", () => {
    const decoded = decode(sentDatagram(imei, "8", [record], { packetId: 0x0102, type: 0, dataId: 0x77 }));
    expect(hex(decoded.reply)).toBe("0003010202" + "0005010201" + "7701");
  });
});

describe("cut", () => {
  const packet = sentPacket("8", [record]);

  test("skips what cannot begin a message", () => {
    for (const start of [
      "40",
      "80",
      "000e33",
      "000f3a",
      "00000100",
      "474554202f",
      "0049cafe03",
      "0049cafe0122000e",
      "0010cafe",
    ])
      expect(teltonika.cut(bytesOfHex(start)), start).toEqual({ kind: "noise", length: 1 });
  });

  test("never waits for a length that no packet has", () => {
    const longest = teltonika.maxMessageBytes - 12;
    for (const length of [0, 2, longest + 1, 0xffff_ffff])
      expect(teltonika.cut(bytesOfHex(`00000000${hexNumber(length, 4)}08`)).kind, `${length}`).toBe("noise");
    expect(teltonika.cut(bytesOfHex("000000000000000320")).kind).toBe("noise");
    expect(teltonika.cut(bytesOfHex("000000000000000308")).kind).toBe("incomplete");
    expect(teltonika.cut(bytesOfHex(`00000000${hexNumber(longest, 4)}08`)).kind).toBe("incomplete");
  });

  test("finds the packet after noise", () => {
    for (const noise of ["00", "0000", "00000000", "0102030405", "ffff", "000f33353633ab"]) {
      const stream = new MessageStream(teltonika);
      const found = [...stream.push(Buffer.concat([bytesOfHex(noise), packet]))];
      expect(found.map(hex), noise).toContain(hex(packet));
      expect(stream.heldBytes).toBe(0);
    }
  });

  test("is bounded by the largest message", () => {
    expect(teltonika.cut(new Uint8Array(teltonika.maxMessageBytes)).kind).toBe("noise");
  });
});
