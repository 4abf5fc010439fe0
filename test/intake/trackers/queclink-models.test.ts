import { describe, expect, test } from "bun:test";
import { queclink } from "../../../src/intake/trackers/queclink/family.ts";
import { eventReport, queclinkSample as here, type SentEnvelope } from "../../support/trackers/queclink-encoder.ts";
import { beyondRoutine } from "../../support/trackers/routine-names.ts";

const { at } = here;

function envelope(type: string, version: string): SentEnvelope {
  return { type, version, id: "862894020180553", sentAt: at, count: 1 };
}

function decode(bytes: Uint8Array) {
  return queclink.decode(bytes, queclink.begin(), at);
}

function frameOf(type: string, version: string, head: readonly string[], tail: readonly string[]) {
  return decode(eventReport(envelope(type, version), head, here, tail)).frames[0];
}

function decodeText(text: string) {
  return decode(new Uint8Array(Buffer.from(text, "latin1")));
}

describe("what differs by model", () => {
  test("IGL turns on with 0, with 1 on CV200, and says nothing where no manual does", () => {
    for (const [version, ofZero] of [
      ["060228", true],
      ["F1030A", true],
      ["1A0102", true],
      ["BD0221", false],
      ["DF0200", null],
    ] as const) {
      const ofOne = ofZero === null ? null : !ofZero;
      for (const type of ["IGL", "VGL"]) {
        expect(frameOf(type, version, ["", "00", "1"], ["00"])?.ignition ?? null).toBe(ofZero);
        expect(frameOf(type, version, ["", "11", "1"], ["00"])?.ignition ?? null).toBe(ofOne);
      }
    }
  });

  test("a vehicle with an expander has ten digits of state, and the motion is in the same place", () => {
    const tail = ["00", "12.5", "", "", "", "77", "0102220100", "", "", ""];
    expect(frameOf("FRI", "F10415", ["13800", "10", "1"], tail)).toMatchObject({ ignition: true, battery_percent: 77 });
  });

  test("one to four inputs stand between hours and battery", () => {
    for (let inputs = 1; inputs <= 4; inputs++) {
      const tail = ["00", "12.5", "00012:34:56", ...Array(inputs).fill("1300"), "77", "210100", "", "", ""];
      expect(frameOf("FRI", "060228", ["13800", "10", "1"], tail)).toMatchObject({
        ignition: true,
        battery_percent: 77,
        odometer_km: 12.5,
        external_voltage_v: 13.8,
      });
    }
  });

  test("an append mask of more than one digit counts only where the rest is a vehicle's", () => {
    const vehicle = ["12.5", "", "", "", "77", "210100", "", "", ""];
    expect(frameOf("FRI", "8020090302", ["", "10", "1"], ["11", "9", "1", ...vehicle])).toMatchObject({
      satellites: 9,
      odometer_km: 12.5,
    });
    // GL500M has the strength of the signal there.
    expect(frameOf("FRI", "DE0114", ["0", "0", "1"], ["18", "0", "", "93", "0", "", ""])).toMatchObject({
      satellites: null,
      battery_percent: 93,
    });
  });

  test("firmware of one model has columns for fewer bits than another: what follows shows it", () => {
    const vehicle = ["12.5", "", "", "", "77", "210100", "", "", ""];
    for (const columns of [
      ["03", "15", "", ...vehicle],
      ["0F", "15", "0.75", "1.10", "1.80", ...vehicle],
    ])
      expect(frameOf("FRI", "6E1203", ["", "10", "1"], columns)).toMatchObject({
        satellites: 15,
        odometer_km: 12.5,
        battery_percent: 77,
      });
  });

  test("CV200 counts the satellites in use in another column", () => {
    const tail = ["05", "14", "9", "12.5", "", "", "", "77", "22", "", "", ""];
    expect(frameOf("FRI", "BD0221", ["", "10", "1"], tail)).toMatchObject({
      satellites: 9,
      ignition: true,
      odometer_km: 12.5,
    });
  });

  test("GMT100 has its battery after one input, and no state", () => {
    const tail = ["00", "2000.0", "12345:12:34", "", "80", "", "", "", "", ""];
    expect(frameOf("FRI", "080100", ["", "10", "1"], tail)).toMatchObject({ odometer_km: 2000, battery_percent: 80 });
  });

  test("the oldest form names its sender first, and is not acknowledged", () => {
    const decoded = decodeText(
      "+RESP:GTTRI,862370030005908,1,0,99,1,0.0,354,18.5,18.821100,-34.084002,20170607152024,0655,0001,00DD,1CAE,00,0103010100,20170607172115,3E7D$",
    );
    expect(decoded.identity).toEqual({ kind: "imei", value: "862370030005908" });
    expect(decoded.frames).toMatchObject([{ latitude: -34.084002, recordedAt: Date.UTC(2017, 5, 7, 15, 20, 24) }]);
    expect(decoded.reply).toBeNull();
  });
});

describe("accessories, as the manual of GV350M and GV300CAN has them", () => {
  test("seven thermometers", () => {
    const { frames, unread } = decodeText(
      "+RESP:GTERI,F10310,868446036599153,gv350m,00000002,11636,10,1,2,0.0,0,247.8,114.015482,22.537480,20190826034720,0460,0001,253D,AEC3,,0.0,,,100,110000,,7,2880219F0A0000D0,1,01AD,28BAFC7D08000041,1,01AF,2866EE9E0A000089,1,01B2,28D64BC50800006C,1,01AE,2809769D0A00006F,1,01AC,28E3597E08000090,1,01AD,28CBCA7D080000F6,1,01AF,20190826114719,15BF$",
    );
    expect(beyondRoutine(unread)).toEqual([]);
    expect(frames[0]?.sensors.map((sensor) => (sensor.kind === "temperature" ? sensor.temperature_c : null))).toEqual([
      26.8125, 26.9375, 27.125, 26.875, 26.75, 26.8125, 26.9375,
    ]);
  });

  test("an iButton is no thermometer", () => {
    const { frames, unread } = decodeText(
      "+RESP:GTERI,4B0306,867995030009362,,00000002,,10,1,1,0.0,0,40.4,117.129326,31.839245,20190522064541,0460,0000,550B,B969,00,0.0,,,65,210100,,2,3C00000340FD1128,2,019E,FD0000034129ED28,2,01AC,20190522064542,0541$",
    );
    expect(frames[0]?.sensors).toEqual([]);
    expect(beyondRoutine(unread)).toEqual(["1-wire device of type 2", "1-wire device of type 2"]);
  });

  test("fuel of the data bus is in percent or litres; impulses are no distance", () => {
    const { frames } = decodeText(
      "+RESP:GTCAN,4B0305,867995030082104,gv300can,00,1,C03FFFFF,,2,I6782,50.56,1705,40,55,,L87.40,3960,32,860.64,755.43,105.21,7436.00,4365,BF,FFFF,3F,3F,6.38,21.61,0,0.0,0,1.4,117.1299493,31.839403,20190418055225,0460,0000,550B,B969,00,20190418055227,0DC0$",
    );
    expect(frames).toMatchObject([
      {
        latitude: 31.839403,
        ignition: true,
        odometer_km: null,
        sensors: [{ kind: "fuel", sensor: "can", level_percent: null, volume_l: 87.4 }],
      },
    ]);
  });

  test("a count that promises more than there is gives no more than there is", () => {
    const tail = ["00", "12.5", "", "", "", "77", "210100", "2", "99", "2880219F0A0000D0", "1", "01AD"];
    const { frames } = decode(eventReport(envelope("ERI", "060228"), ["00000002", "", "10", "1"], here, tail));
    expect(frames[0]?.sensors.length).toBe(1);
  });
});
