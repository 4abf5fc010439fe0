import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import type { TrackerEvent } from "../../../src/intake/trackers/kit/events.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { tk103 } from "../../../src/intake/trackers/tk103/family.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import { anyTextReport, degreesOf, textSample } from "../../support/trackers/text-report.ts";
import { type Tk103Report, tk103Text, tk103WithCommas } from "../../support/trackers/tk103-encoder.ts";

const gluedKinds: Readonly<Record<string, TrackerEvent | null>> = {
  BR00: null,
  BR01: null,
  BN00: null,
  BP05000088046338039: null,
  BO010: "power_cut",
  BO011: "crash",
  BO012: "sos",
  BO013: "vibration",
  BO014: "low_speed",
  BO015: "overspeed",
  BO016: "geofence_exit",
  BO017: null,
  "BQ81,ALARM,0,164,": "low_battery",
  "BQ81,ALARM,1,164,": "overspeed",
  "BQ81,ALARM,2,164,": "idling",
  "BQ81,ALARM,3,164,": "harsh_acceleration",
  "BQ81,ALARM,4,164,": "harsh_braking",
  "BQ81,ALARM,5,164,": "temperature",
};
const separatedKinds: Readonly<Record<string, TrackerEvent | null>> = {
  BP05: null,
  ZC07: null,
  ZC11: "movement",
  ZC12: "low_battery",
  ZC13: "power_cut",
  ZC17: "tampering",
  ZC25: "sos",
  DW3F: "tampering",
  DW40: "low_power",
};

const reportsOf = (kinds: readonly string[], idDigits: readonly number[]): fc.Arbitrary<Tk103Report> =>
  fc
    .tuple(
      anyTextReport,
      fc.constantFrom(...kinds),
      fc.constantFrom(...idDigits),
      fc.bigInt(0n, 10n ** 15n - 1n),
      fc.nat(0xffff_ffff),
    )
    .map(([report, kind, digits, number, metres]) => ({
      ...report,
      kind,
      id: String(number).padStart(15, "0").slice(-digits),
      metres,
    }));

const sample: Tk103Report = {
  ...textSample,
  id: "088046338039",
  kind: "BR00",
  metres: 12_497_108,
};

const decode = (text: string) => tk103.decode(bytesOf(text), null, receivedAt);

function expectReport(text: string, report: Tk103Report, event: TrackerEvent | null): void {
  const { frames, identity, problem, leftOut } = decode(text);
  expect({ identity, problem, leftOut, frames: frames.length }).toEqual({
    identity: { kind: report.id.length === 15 ? "imei" : "tracker_id", value: report.id },
    problem: null,
    leftOut: [],
    frames: 1,
  });
  expect(frames[0]).toMatchObject({ recordedAt: report.at, event, fix: report.isLocated });
  if (!report.isLocated) {
    expect(frames[0]).toMatchObject({ latitude: null, longitude: null, speed_kmh: null });
    return;
  }
  expect(frames[0]?.latitude as number).toBeCloseTo(degreesOf(report.north), 6);
  expect(frames[0]?.longitude as number).toBeCloseTo(degreesOf(report.east), 6);
  expect(frames[0]).toMatchObject({ speed_kmh: report.speedTenths / 10, heading_deg: report.heading });
}

test("tk103: what a tracker writes without commas is read as it was meant", () => {
  forAll(500, [reportsOf(Object.keys(gluedKinds), [11, 12, 15])], (report) => {
    const text = tk103Text(report);
    expectReport(text, report, gluedKinds[report.kind] ?? null);
    expect(decode(text).frames[0]).toMatchObject({
      ignition: report.ignition,
      odometer_km: report.metres === 0 ? null : report.metres / 1000,
    });
  });
});

test("tk103: what a tracker writes with commas is read as it was meant", () => {
  forAll(300, [reportsOf(Object.keys(separatedKinds), [12, 15])], (report) =>
    expectReport(tk103WithCommas(report), report, separatedKinds[report.kind] ?? null),
  );
});

testStreamRules(
  tk103,
  fieldMessages("tk103")
    .slice(0, 40)
    .map(({ message }) => bytesOf(message)),
);

describe("tk103: the stream", () => {
  const cutAll = (text: string) => [...new MessageStream(tk103).push(bytesOf(text))].map((message) => textOf(message));
  const message = tk103Text(sample);

  test("free text between dollar signs may hold parentheses", () => {
    const answer =
      "(864755555555,ZC03,191117,234421,$)Notice:\r\nDevices serial number: \r\n58055555555).\r\n(V2.000)$)";
    expect(cutAll(`a\r\ngarbage%@#*^$-+<>?$)))$$--${answer}${message}`)).toEqual([answer, message]);
  });

  test("a lost end, or a dollar sign without its other, costs no message behind it", () => {
    expect(cutAll(`${message.slice(0, 30)}${message}`)).toEqual([message]);
    expect(cutAll(`(864755555555,ZC03,191117,234421,$lost${message.repeat(40)}`).length).toBe(40);
    expect(cutAll(`(${"1".repeat(5_000)}${message}`)).toEqual([message]);
  });
});

describe("tk103: replies", () => {
  const replyTo = (text: string) => {
    const { reply } = decode(text);
    return reply === null ? null : textOf(reply);
  };

  test("to a handshake, a login and an alarm, and to nothing else", () => {
    expect(replyTo("(027044702512BP00027044702512HSO01A4)")).toBe("(027044702512AP01HSO)");
    expect(replyTo(tk103Text({ ...sample, kind: "BP05000088046338039" }))).toBe("(088046338039AP05)");
    expect(replyTo("(027045009305BP05355227045009305,{413,2,30073,16724}\n,01000000)")).toBe("(027045009305AP05)");
    expect(replyTo(tk103Text({ ...sample, kind: "BO015" }))).toBe("(088046338039AS015)");
    expect(replyTo(tk103Text(sample))).toBeNull();
    expect(replyTo(tk103WithCommas({ ...sample, kind: "BP05" }))).toBeNull();
  });
});

describe("tk103: messages without a place", () => {
  test("an alarm without a time is of now; so is one that is sent live, whatever its time; all others without a time are refused and answered", () => {
    expect(decode("(088046338039BO012)").frames).toMatchObject([{ recordedAt: receivedAt, event: "sos", fix: false }]);
    expect(decode("(868822040452227,DW5E,460,0,1,2,0,)").frames).toMatchObject([
      { recordedAt: receivedAt, event: "sos", fix: false },
    ]);
    const unset = (isLocated: boolean) =>
      tk103Text({ ...sample, kind: "BO012", isLocated }).replace("2261117", "2000000");
    expect(decode(unset(false)).frames).toMatchObject([{ recordedAt: receivedAt, event: "sos", fix: false }]);
    const ofNow = { recordedAt: receivedAt, time_source: "receipt", mayRepeat: true, event: "sos" };
    const odd = tk103Text({ ...sample, kind: "BO012" }).replace("2261117", "2061830");
    for (const text of [unset(true), odd])
      expect(decode(text)).toMatchObject({ frames: [{ ...ofNow, fix: true, latitude: 52.33539 }], problem: null });
    const oddAndLost = tk103Text({ ...sample, kind: "BO012", isLocated: false }).replace("2261117", "2061830");
    expect(decode(oddAndLost).frames).toMatchObject([{ ...ofNow, fix: false, latitude: null }]);
    expect(textOf(decode(odd).reply ?? bytesOf(""))).toBe("(088046338039AS012)");
    const refused = ["(868822040452227,DW5E,460,0,1,2,0,991399,115930)", odd.replace("BO012", "BQ812")];
    for (const text of refused) expect(decode(text)).toMatchObject({ frames: [], problem: { kind: "no_time" } });
    // The others have their own.
    expect(decode(tk103Text({ ...sample, kind: "BO012" })).frames[0]).not.toHaveProperty("time_source");
    expect(decode(tk103Text(sample).replace("BR00261117", "BR00000007")).problem?.kind).toBe("no_time");
  });

  test("levels of the battery become a percentage, and the vehicle's voltage is read", () => {
    const read = (level: number, power: number) =>
      decode(`(013632651491,ZC20,171126,115930,${level},392,${power},255)`).frames[0];
    expect([255, 1, 2, 3, 4, 5, 6].map((level) => read(level, 65_535)?.battery_percent)).toEqual([
      null,
      null,
      10,
      20,
      50,
      80,
      100,
    ]);
    expect(read(6, 112)).toMatchObject({ recordedAt: sample.at, external_voltage_v: 11.2, fix: null });
    expect(read(6, 65_535)?.external_voltage_v).toBeNull();
  });

  test("cell towers and WiFi networks are frames without a place, with their own time", () => {
    const networks = (kind: string) =>
      decode(`(864555555555555,${kind},200,1,3215,43370,1,58:F3:BB:3B:AA:82*-65*1,171126,115930)`);
    expect(networks("DW5B").frames).toMatchObject([
      { recordedAt: sample.at, fix: false, latitude: null, source: null, ignition: null },
    ]);
    expect(networks("DW55").frames[0]?.ignition).toBe(true);
    expect(networks("DW56").frames[0]?.ignition).toBe(false);
    expect(networks("DW5E").frames[0]?.event).toBe("sos");
    expect(networks("DW5B").unread).toEqual(["cell towers", "WiFi networks", "number of cell towers"]);
  });

  test("cell towers that never have a time are of now", () => {
    const frame = { recordedAt: receivedAt, fix: false, latitude: null, source: null };
    expect(decode("(087073104337BZ00,740,000,3bf7,0425,01000000)").frames).toMatchObject([frame]);
    expect(decode("(027045009305BP05355227045009305,{413,2,30073,16724}\n,01000000)").frames).toMatchObject([frame]);
  });

  test("what is not read is named", () => {
    expect(decode("(027023361470BV005J6RW2H53HL066029)")).toMatchObject({
      what: "chassis number BV00",
      unread: ["chassis number"],
    });
    expect(decode("(352602014867BS500064FF0E)").unread).toEqual(["battery pack"]);
    expect(decode("(864555555555555,ZC03,191117,234207,$Notice$)").unread).toEqual(["text of the answer"]);
    expect(decode("(088046338039BX99hello)").problem).toEqual({ kind: "unknown_message", detail: "message BX99" });
    expect(decode("(hello)").problem?.kind).toBe("malformed");
    expect(decode(tk103Text(sample).replace("01000000L", "1100108AL")).unread).toEqual([
      "main power is off",
      "inputs",
      "fuel",
    ]);
  });

  test("a temperature behind the mileage is read, other fields are named", () => {
    expect(decode(tk103Text(sample).replace(")", "-017.7)")).unread).toEqual([]);
    expect(decode(tk103Text(sample).replace(")", "T113)"))).toMatchObject({
      unread: ["fields at the end"],
      problem: null,
    });
    expect(decode(tk103Text(sample).replace(")", "-017.7)")).frames[0]?.sensors).toEqual([
      { kind: "temperature", sensor: "temp1", temperature_c: -17.7, humidity_percent: null },
    ]);
  });
});
