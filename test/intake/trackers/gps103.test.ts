import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { gps103 } from "../../../src/intake/trackers/gps103/family.ts";
import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import type { TrackerEvent } from "../../../src/intake/trackers/kit/events.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { forAll } from "../../support/for-all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  type Gps103Report,
  gps103Text,
  gps103WithoutGps,
  gps103Sample as sample,
} from "../../support/trackers/gps103-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";
import { anyTextReport, degreesOf } from "../../support/trackers/text-report.ts";

const eventOfWord: Readonly<Record<string, TrackerEvent | null>> = {
  tracker: null,
  "001": null,
  "help me": "sos",
  "low battery": "low_battery",
  stockade: "geofence",
  move: "movement",
  speed: "overspeed",
  "door alarm": "door",
  "ac alarm": "power_cut",
  "accident alarm": "crash",
  "sensor alarm": "vibration",
  "bonnet alarm": "bonnet",
  "footbrake alarm": "foot_brake",
  DTC: "fault",
};

const anyReport: fc.Arbitrary<Gps103Report> = fc
  .tuple(
    anyTextReport,
    fc.bigInt(0n, 10n ** 15n - 1n),
    fc.constantFrom(...Object.keys(eventOfWord)),
    fc.integer({ min: -44, max: 48 }),
    fc.boolean(),
  )
  .map(([report, number, word, quarters, doorIsOpen]) => ({
    ...report,
    imei: String(number).padStart(15, "0"),
    word,
    zoneMinutes: quarters * 15,
    doorIsOpen,
  }));

const decode = (text: string, session = gps103.begin()) => gps103.decode(bytesOf(text), session, receivedAt);

test("gps103: what a tracker writes is read as it was meant, in any zone", () => {
  forAll(500, [anyReport], (report) => {
    const { frames, identity, problem, leftOut, unread, session } = decode(gps103Text(report));
    expect({ identity, problem, leftOut, session }).toEqual({
      identity: { kind: "imei", value: report.imei },
      problem: null,
      leftOut: [],
      session: { zoneMinutes: report.zoneMinutes },
    });
    expect(beyondRoutine(unread)).toEqual(report.doorIsOpen ? ["door"] : []);
    expect(frames.length).toBe(1);
    expect(frames[0]).toMatchObject({
      recordedAt: report.at,
      event: eventOfWord[report.word] ?? null,
      ignition: report.ignition,
      fix: report.isLocated,
    });
    if (!report.isLocated) {
      expect(frames[0]).toMatchObject({ latitude: null, longitude: null, speed_kmh: null });
      return;
    }
    expect(frames[0]?.latitude as number).toBeCloseTo(degreesOf(report.north), 6);
    expect(frames[0]?.longitude as number).toBeCloseTo(degreesOf(report.east), 6);
    expect(frames[0]?.speed_kmh as number).toBeCloseTo((report.speedTenths / 10) * 1.852, 2);
    expect(frames[0]?.heading_deg).toBe(report.heading);
  });
});

testStreamRules(
  gps103,
  fieldMessages("gps103")
    .slice(0, 40)
    .map(({ message }) => bytesOf(message)),
);

describe("gps103: the stream", () => {
  const cutAll = (text: string) => {
    const stream = new MessageStream(gps103);
    return { messages: [...stream.push(bytesOf(text))].map((message) => textOf(message)), held: stream.heldBytes };
  };
  const message = gps103Text(sample);

  test("a heartbeat needs no end mark", () => {
    expect(cutAll(`359769031878322${message}359769031878322`)).toEqual({
      messages: ["359769031878322", message, "359769031878322"],
      held: 0,
    });
  });

  test("finds the message after noise, and after one whose end was lost", () => {
    expect(cutAll(`,N,00336.98783,E;im${message}`).messages).toEqual([message]);
    expect(cutAll(`${message.slice(0, 50)}${message}`).messages).toEqual([message]);
    expect(cutAll(`##,imei:359710049092324,A;\r\n${message}\r\n`).messages.length).toBe(2);
    expect(cutAll(`imei:${"1".repeat(5_000)}##,imei:359710049092324,A;`).messages.at(-1)).toContain(
      "359710049092324,A;",
    );
  });
});

describe("gps103: replies", () => {
  const replyTo = (text: string) => {
    const { reply } = decode(text);
    return reply === null ? null : textOf(reply);
  };

  test("a login is a message of at most 30 characters", () => {
    expect(replyTo("imei:359586015829802,12345678;")).toBe("LOAD");
    expect(replyTo("imei:359586015829802,123456789;")).toBeNull();
  });

  test("to a login, a heartbeat and a call for help, and to nothing else", () => {
    expect(replyTo("##,imei:359586015829802,A;")).toBe("LOAD");
    expect(replyTo("359586015829802;")).toBe("ON");
    expect(replyTo(gps103Text({ ...sample, word: "help me" }))).toBe("**,imei:359710049092324,E;");
    expect(replyTo(gps103WithoutGps({ ...sample, word: "help me" }))).toBe("**,imei:359710049092324,E;");
    for (const word of ["tracker", "ac alarm", "et", "acc on"])
      expect(replyTo(gps103Text({ ...sample, word }))).toBeNull();
  });
});

describe("gps103: peculiar messages", () => {
  const frameOf = (text: string) => decode(text).frames[0];

  test("the words for ignition count where the state is not sent; else the state does", () => {
    const word = (text: string, state: string) =>
      frameOf(`imei:359710049092324,${text},261117145930,,F,115930.000,A,5233.5412,N,01324.1,E,0.0,0,,${state},,,,;`)
        ?.ignition;
    expect([word("acc on", ""), word("acc off", ""), word("acc on", "0"), word("tracker", "")]).toEqual([
      true,
      false,
      false,
      null,
    ]);
  });

  test("fuel, temperature, battery and a driver's tag", () => {
    const text =
      "imei:353451044508750,rfid,261117145930,49121185,F,115930.000,A,2233.1870,N,11354.3067,E,0.00,30.1,65.43,1,0,10.5%,7.25%,28;";
    expect(frameOf(text)).toMatchObject({
      altitude_m: 65.43,
      driver_id: "49121185",
      sensors: [
        { kind: "fuel", sensor: "fuel1", level_percent: 10.5 },
        { kind: "fuel", sensor: "fuel2", level_percent: 7.25 },
        { kind: "temperature", sensor: "temp1", temperature_c: 28 },
      ],
    });
    expect(frameOf(text.replace("rfid", "T:+31.5").replace(",28;", ",;"))).toMatchObject({
      event: "temperature",
      sensors: [{}, {}, { kind: "temperature", temperature_c: 31.5 }],
    });
    expect(frameOf(text.replace("rfid,261117145930,49121185", "tracker,261117145930,87%"))?.battery_percent).toBe(87);
  });

  test("0 % of fuel is what a tracker without a sensor sends", () => {
    expect(frameOf(gps103Text(sample))?.sensors).toEqual([]);
  });

  test("what is not read is named", () => {
    expect(decode(gps103Text({ ...sample, word: "acc alarm" })).unread).toEqual(["word acc alarm"]);
    expect(decode(gps103Text({ ...sample, word: "vt14" })).unread).toEqual(["word vt14"]);
    expect(decode(`imei:864180034124375,vr,0c00fa01${"1e".repeat(500)};`)).toMatchObject({
      what: "part of a photo",
      unread: ["photo"],
      problem: null,
    });
    expect(decode(gps103WithoutGps(sample)).unread).toEqual(["cell tower"]);
    expect(decode("imei:359586015829802,tracker,261117145930,13554900601,L,;").unread).toEqual(["phone number or tag"]);
    expect(decode(gps103Text(sample).replace("0.00%,,;", "10.5%,P0021,;")).unread).toEqual(["fields after the door"]);
  });

  test("messages that are no known ones are named", () => {
    expect(decode("imei:359710049075097,tracker,261117145930,,Q,115930.000,A;").problem?.kind).toBe("unknown_message");
    expect(decode("imei:,tracker,261117145930,,F,115930.000,A,2233.1870,N;").problem?.kind).toBe("malformed");
    const clone =
      "imei:861359038609986,Equipo 1,---,------,----,214734,241018,26,1,-33.42,-70.61,067,229,0674,1.00,08,0,1,---,*";
    expect(decode(clone).problem).toBeNull();
    expect(decode(clone.replace(",---,*", "*")).problem?.kind).toBe("malformed");
    expect(decode(clone.replace("---,------", "door,12")).unread).toEqual([
      "name",
      "event",
      "sensor",
      "signal",
      "charge",
    ]);
  });

  test("values out of bounds are left out, and the frame stays", () => {
    const { frames, leftOut } = decode(gps103Text({ ...sample, heading: 900 }));
    expect(leftOut).toEqual(["heading_deg"]);
    expect(frames[0]).toMatchObject({ recordedAt: sample.at, fix: true, heading_deg: null });
  });
});
