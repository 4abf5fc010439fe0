import { describe, expect, test } from "bun:test";
import { gps103 } from "../../../src/intake/trackers/gps103/family.ts";
import { bytesOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { gps103Text, gps103WithoutGps, gps103Sample as sample } from "../../support/trackers/gps103-encoder.ts";

const minuteMs = 60_000;

const decode = (text: string, session = gps103.begin()) => gps103.decode(bytesOf(text), session, receivedAt);
const timeOf = (text: string, session = gps103.begin()) => decode(text, session).frames[0]?.recordedAt;

describe("gps103: the clock", () => {
  test("east of +12 hours the date is right for what has just been sent", () => {
    expect(timeOf(gps103Text({ ...sample, zoneMinutes: 13 * 60 }))).toBe(sample.at);
    expect(timeOf(gps103Text({ ...sample, zoneMinutes: 14 * 60 }))).toBe(sample.at);
    expect(timeOf(gps103Text({ ...sample, zoneMinutes: -11 * 60 }))).toBe(sample.at);
  });

  test("the zone of a place counts for messages without one", () => {
    const { session } = decode(gps103Text({ ...sample, zoneMinutes: 480 }));
    const yesterday = sample.at - 20 * 60 * minuteMs;
    expect(timeOf(gps103WithoutGps({ ...sample, at: yesterday, zoneMinutes: 480 }), session)).toBe(yesterday);
    const obd = "imei:359710049090138,OBD,261117195930,51442,0.00,15.88,5632,122,40.39%,95,0.00%,2101,13.80,,,,;";
    expect(timeOf(obd, session)).toBe(sample.at);
  });

  test("without one, it is the zone that makes it a moment ago, or UTC if it is of another day", () => {
    for (const zoneMinutes of [-570, 0, 345, 480, 780]) {
      expect(timeOf(gps103WithoutGps({ ...sample, zoneMinutes }))).toBe(sample.at);
    }
    const lastWeek = sample.at - 7 * 24 * 60 * minuteMs;
    expect(timeOf(gps103WithoutGps({ ...sample, at: lastWeek, zoneMinutes: 480 }))).toBe(lastWeek + 480 * minuteMs);
  });

  test("a local time alone is taken as it is, with its seconds", () => {
    const text = "imei:353552045403597,tracker,150420050648,53.0,F,0.0,A,N,5306.64155,E,00700.77848,0.0,,1.0,;";
    expect(timeOf(text)).toBe(Date.UTC(2015, 3, 20, 5, 6, 48));
  });

  test("a time in UTC without a date is of the day on which it came", () => {
    expect(timeOf(gps103Text(sample).replace(/,26\d{10},/, ",,"))).toBe(sample.at);
  });

  test("a call for help with a time that cannot be read is refused and answered", () => {
    const texts = [
      "imei:359710049075097,help me,991399999999,,L,,,113b,,558f,,,;",
      "imei:359710049075097,help me,991399999999,,F,115930.000,A,5233.5412,N,01324.1000,E,0.00,0,,0,0,,,;",
      "imei:359710049075097,help me,,,F,,A,5233.5412,N,01324.1000,E,0.00,0,,0,0,,,;",
    ];
    for (const text of texts) {
      expect(decode(text)).toMatchObject({ frames: [], problem: { kind: "no_time" } });
      expect(decode(text).reply).not.toBeNull();
    }
  });

  test("a call for help without a time is of now; a report without one is none", () => {
    expect(decode("imei:359710049075097,help me,,,F,,V,,,,,,;").frames).toMatchObject([
      { event: "sos", fix: false, recordedAt: receivedAt },
    ]);
    const without = (word: string) => decode(`imei:359710049075097,${word},000000000,,L,,,113b,,558f,,,;`);
    expect(without("help me").frames).toMatchObject([
      { recordedAt: receivedAt, event: "sos", fix: false, latitude: null },
    ]);
    expect(without("tracker")).toMatchObject({ frames: [], problem: { kind: "no_time" } });
  });

  test("half a day counts as east of UTC, more as west of it", () => {
    const at = (local: string) =>
      timeOf(`imei:359710049092324,tracker,${local},,F,120030.000,A,5233.5412,N,01324.1,E,0.0,0;`);
    expect(at("151027000000")).toBe(Date.UTC(2015, 9, 26, 12, 0, 30));
    expect(at("151027000100")).toBe(Date.UTC(2015, 9, 27, 12, 0, 30));
    expect(at("151028000000")).toBe(Date.UTC(2015, 9, 27, 12, 0, 30));
  });

  test("a date that does not exist is no time, whatever the time of day", () => {
    expect(timeOf(gps103Text(sample).replace(/,26\d{10},/, ",261317145930,"))).toBeUndefined();
    expect(timeOf(gps103Text(sample).replace("115930.000", "126030.000"))).toBeUndefined();
  });
});
