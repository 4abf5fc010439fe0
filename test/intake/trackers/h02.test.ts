import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { h02 } from "../../../src/intake/trackers/h02/family.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import type { TrackerEvent } from "../../../src/intake/trackers/kit/events.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { type H02Report, h02Binary, h02Text, h02Sample as sample } from "../../support/trackers/h02-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import { anyTextReport, degreesOf } from "../../support/trackers/text-report.ts";

const eventOfBit = new Map<number, TrackerEvent>([
  [0, "vibration"],
  [1, "sos"],
  [2, "overspeed"],
  [18, "sos"],
  [19, "power_cut"],
]);

const anyReport: fc.Arbitrary<H02Report> = fc
  .tuple(
    anyTextReport,
    fc.constantFrom("HQ", "TH"),
    fc.constantFrom(10, 15),
    fc.bigInt(0n, 10n ** 15n - 1n),
    fc.subarray([...eventOfBit.keys(), 9, 14]),
  )
  .map(([report, maker, digits, number, alarmBits]) => ({
    ...report,
    maker,
    id: String(number).padStart(15, "0").slice(-digits),
    alarmBits,
  }));

function decode(message: Uint8Array | string) {
  return h02.decode(typeof message === "string" ? bytesOf(message) : message, null, receivedAt);
}

function expectReport(message: Uint8Array | string, report: H02Report, knots: number): void {
  const { frames, identity, problem, leftOut } = decode(message);
  expect({ identity, problem, leftOut }).toEqual({
    identity: { kind: report.id.length === 15 ? "imei" : "tracker_id", value: report.id },
    problem: null,
    leftOut: [],
  });
  const events = new Set(report.alarmBits.flatMap((bit) => eventOfBit.get(bit) ?? []));
  expect(new Set(frames.map(({ event }) => event))).toEqual(events.size === 0 ? new Set([null]) : events);
  for (const frame of frames) {
    expect(frame).toMatchObject({ recordedAt: report.at, fix: report.isLocated, ignition: report.ignition });
    if (report.isLocated) {
      expect(frame.latitude as number).toBeCloseTo(degreesOf(report.north), 6);
      expect(frame.longitude as number).toBeCloseTo(degreesOf(report.east), 6);
      expect(frame.speed_kmh as number).toBeCloseTo(knots * 1.852, 2);
      expect(frame.heading_deg).toBe(report.heading);
    } else expect([frame.latitude, frame.longitude, frame.speed_kmh]).toEqual([null, null, null]);
  }
}

test("h02: what a tracker writes as text is read as it was meant", () => {
  forAll(500, [anyReport, fc.constantFrom("V1", "V5", "V6")], (report, kind) =>
    expectReport(h02Text(report, kind), report, report.speedTenths / 10),
  );
});

test("h02: what a tracker writes in binary is read as it was meant", () => {
  const tails = fc.constantFrom("ff0024", "ff0015060000002c02dc0c000000001f");
  forAll(500, [anyReport.filter(({ id }) => id.length === 10), tails], (report, more) => {
    const message = h02Binary(report, more);
    expect(h02.cut(message)).toEqual({ kind: "message", length: message.length });
    expectReport(message, report, Math.floor(report.speedTenths / 10));
  });
});

test("h02: a binary message with an IMEI is not taken for one with ten digits", () => {
  forAll(500, [anyReport.filter(({ id }) => id.length === 15)], (report) => {
    const message = h02Binary({ ...report, isLocated: true }, "ff01120064ba73005ecc".slice(0, 20));
    expect(message.length).toBe(42);
    expectReport(message, { ...report, isLocated: true }, Math.floor(report.speedTenths / 10));
  });
});

describe("h02: peculiar messages", () => {
  test("a message without a number belongs to the tracker that is connected", () => {
    expect(decode(h02Text({ ...sample, id: "" })).identity).toBeUndefined();
  });

  test("an X message repeats the place, and its number is no identity", () => {
    const message = h02Binary(sample);
    message[0] = 0x58;
    const { identity, frames, unread } = decode(message);
    expect(identity).toBeUndefined();
    expect(frames).toEqual(decode(h02Binary(sample)).frames);
    expect(unread).toContain("number of an X message");
  });

  test("a time without a date is of the day on which it came", () => {
    const message = h02Text(sample).replace("171126", "");
    expect(decode(message).frames[0]?.recordedAt).toBe(sample.at);
  });

  test("a date without a time is now if it is today, else midnight", () => {
    const vp1 = (date: string) => decode(`*hq,356327080425330,VP1,A,2702.7245,S,15251.9311,E,0.48,0.0000,${date}#`);
    expect(vp1("171126").frames[0]?.recordedAt).toBe(receivedAt);
    expect(vp1("161126").frames[0]?.recordedAt).toBe(Date.UTC(2026, 10, 16));
  });

  test("what a heartbeat says holds when it comes", () => {
    const heartbeat = (values: string) => decode(`*HQ,135790246811220,HTBT${values}#`).frames;
    expect(heartbeat(",84")).toMatchObject([
      { recordedAt: receivedAt, battery_percent: 84, fix: null, latitude: null },
    ]);
    expect(heartbeat("")).toMatchObject([{ recordedAt: receivedAt, battery_percent: null, fix: null }]);
    expect(decode("*hq,356327081001239,VP1,V,470,002,92,3565,0Y92,19433,30#").frames).toMatchObject([
      { recordedAt: receivedAt, fix: false, latitude: null, source: null },
    ]);
  });

  test("B is no place, but in VP1", () => {
    const fixOf = (text: string) => decode(text.replace(",A,", ",B,")).frames[0]?.fix;
    expect(fixOf(h02Text(sample))).toBe(false);
    expect(fixOf("*hq,356327080425330,VP1,A,2702.7245,S,15251.9311,E,0.48,0.0000,080917#")).toBe(true);
  });

  test("a link message has satellites and the battery in percent", () => {
    expect(decode("*HQ,1600068860,LINK,112137,20,8,67,0,0,081116,FFFFFBFF#")).toMatchObject({
      frames: [{ satellites: 8, battery_percent: 67, ignition: false, fix: null }],
      unread: ["signal", "steps"],
    });
  });

  test("levels of the battery become a percentage", () => {
    const batteryOf = (level: number) => {
      const message = h02Binary(sample);
      message[16] = level;
      return decode(message).frames[0]?.battery_percent;
    };
    expect([0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 0xf3].map(batteryOf)).toEqual([
      null,
      0,
      10,
      20,
      60,
      80,
      100,
      7,
      100,
      null,
      null,
    ]);
  });

  test("only a single digit from 1 to 6 at the end is a level of the battery", () => {
    const read = (extras: string) => {
      const { frames, unread } = decode(h02Text(sample).replace("#", `${extras}#`));
      return [frames[0]?.battery_percent, unread];
    };
    expect(read(",310,260,0,0,6")).toEqual([100, ["cell tower"]]);
    expect(read(",5")).toEqual([80, []]);
    expect(read(",310,260,0,0,24")).toEqual([null, ["fields after the status"]]);
    expect(read(",310,260,0,0,0")).toEqual([null, ["fields after the status"]]);
    expect(read(",310,260,0,6")).toEqual([null, ["fields after the status"]]);
    expect(read("")).toEqual([null, []]);
  });

  test("a status of zeros is none: no alarms, and nothing about the ignition", () => {
    const decoded = decode("*ZJ,2030295119,V1,115930,A,3106.3677,N,7710.9352,E,2.38,0.00,171126,00000000#");
    expect(decoded.frames).toMatchObject([{ event: null, ignition: null, fix: true }]);
    expect(decoded.unread).toEqual(["status, all bits 0"]);
  });

  test("bits that each maker uses otherwise are named", () => {
    expect(decode(h02Text({ ...sample, alarmBits: [8, 17] })).unread).toEqual(["status bit 8", "status bit 17"]);
  });

  test("the status is found behind fields about the SIM card", () => {
    const withFields = (fields: string) =>
      decode(h02Text({ ...sample, alarmBits: [19] }).replace(",171126", `,171126${fields}`));
    for (const fields of ["", ",", ",,195.63.13.195,89480610500392633029", ",,12345678,89480610500392633029"]) {
      expect(withFields(fields).frames).toMatchObject([{ ignition: true, event: "power_cut", fix: true }]);
    }
    expect(withFields(",,").unread).toEqual(["SIM card"]);
  });

  test("mileage and altitude are read where a model adds them", () => {
    const message = h02Text(sample).replace("#", ",69129336,0,100.0,18,5141,5A20#");
    expect(decode(message).frames[0]).toMatchObject({ odometer_km: 69_129.336, altitude_m: 18 });
  });
});

describe("h02: problems", () => {
  const problemOf = (message: string) => decode(message).problem;

  test("unknown kinds are named, and harmless", () => {
    expect(problemOf("*HQ,4210051415,ZZ9,1,2#")).toEqual({ kind: "unknown_message", detail: "message ZZ9" });
    expect(problemOf("*HQ,4210051415,\u00ff<b>,1#")).toEqual({ kind: "unknown_message", detail: "message ??b?" });
  });

  test("without a time there is no frame, whatever the alarm bits say, but the reply", () => {
    const { frames, problem, reply } = decode(
      h02Text({ ...sample, alarmBits: [1] })
        .replace(/,\d{6},A/, ",,A")
        .replace("171126", ""),
    );
    expect({ frames, kind: problem?.kind, isAnswered: reply !== null }).toEqual({
      frames: [],
      kind: "no_time",
      isAnswered: true,
    });
  });

  test("a date that does not exist is no time", () => {
    expect(problemOf(h02Text(sample).replace("171126", "310226"))?.kind).toBe("no_time");
    expect(problemOf(h02Text(sample).replace("115930", "245930"))?.kind).toBe("no_time");
  });

  test("a binary place that cannot be leaves the frame without one", () => {
    for (const [at, byte] of [
      [13, 0x60],
      [14, 0x0a],
      [18, 0x86],
      [19, 0xb0],
    ] as const) {
      const message = h02Binary(sample);
      message[at] = byte;
      expect(decode(message).frames[0]).toMatchObject({ recordedAt: sample.at, fix: false, latitude: null });
    }
  });

  test("a place that cannot be leaves the frame without one", () => {
    const frame = decode(h02Text(sample).replace(",N,", ",N,1").replace("52", "99")).frames[0];
    expect(frame).toMatchObject({ recordedAt: sample.at });
    expect(decode(h02Text(sample).replace(/A,\d{4}\./, "A,5275.")).frames[0]).toMatchObject({
      fix: false,
      latitude: null,
    });
  });
});

describe("h02: replies", () => {
  const replyTo = (message: string) => {
    const { reply } = h02.decode(bytesOf(message), null, receivedAt);
    return reply === null ? null : textOf(reply);
  };

  test("V1 and NBR get the time, under the maker's letters", () => {
    expect(replyTo(h02Text({ ...sample, maker: "TH" }))).toBe("*TH,4210051415,V4,V1,20261117120000#");
    expect(replyTo("*HQ,4109179024,NBR,103732,722,310,0,1,8106,32010,23,100217,FFFFFBFF,5#")).toBe(
      "*HQ,4109179024,V4,NBR,20261117120000#",
    );
  });

  test("heartbeats are sent back without their values", () => {
    expect(replyTo("*HQ,135790246811220,V0,80#")).toBe("*HQ,135790246811220,V0#");
    expect(replyTo("*HQ,135790246811220,HTBT,100#")).toBe("*HQ,135790246811220,HTBT#");
  });

  test("nothing else gets one, nor who does not say who it is", () => {
    for (const kind of ["V2", "V4", "V5", "V6", "V8", "V19"]) expect(replyTo(h02Text(sample, kind))).toBeNull();
    expect(replyTo(h02Text({ ...sample, id: "" }))).toBeNull();
    expect(h02.decode(h02Binary(sample), null, receivedAt).reply).toBeNull();
  });
});

testStreamRules(h02, [
  ...fieldMessages("h02-text")
    .slice(0, 40)
    .map(({ message }) => bytesOf(message.trimEnd())),
  ...fieldMessages("h02-binary").map(({ message }) => Uint8Array.fromHex(message)),
]);

describe("h02: the stream", () => {
  const cutAll = (bytes: Uint8Array) => [...new MessageStream(h02).push(bytes)].map((message) => textOf(message));

  test("finds the message after noise, a lost end and bytes that look like a start", () => {
    const message = h02Text(sample);
    expect(cutAll(bytesOf(`noise $$X*H,${message}`))).toEqual([message]);
    expect(cutAll(bytesOf(`${message.slice(0, 40)}${message}`))).toEqual([message]);
    expect(cutAll(Buffer.concat([bytesOf(message.slice(0, 40)), h02Binary(sample)])).length).toBe(1);
    expect(cutAll(bytesOf(`*HQ,${"1".repeat(5_000)}${message}`))).toEqual([message]);
  });

  test("a binary message starts only where the digits can be a time and a date", () => {
    const impossible = { hour: [6, 0x24], minute: [7, 0x60], second: [8, 0x60], day: [9, 0x32], month: [10, 0x13] };
    for (const [at = 0, byte = 0] of Object.values(impossible)) {
      const message = h02Binary(sample);
      message[at] = byte;
      expect(h02.cut(message).kind).toBe("noise");
      expect(h02.decode(message, null, 0).problem?.kind).toBe("malformed");
    }
  });

  test("takes line ends as part of the message before them", () => {
    expect(cutAll(bytesOf(`${h02Text(sample)} \r\n${h02Text(sample)}\r\n`)).length).toBe(2);
  });

  test("leaves binary messages of any length whole, one behind the other", () => {
    const messages = ["ff0024", "ff0015060000002c02dc0c000000001f", "ff001506000000000000ea1e00000000210075", "ff"].map(
      (more) => h02Binary(sample, more.padEnd(6, "0")),
    );
    expect(cutAll(Buffer.concat(messages))).toEqual(messages.map((message) => textOf(message)));
  });
});
