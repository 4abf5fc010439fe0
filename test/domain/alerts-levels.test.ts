import { describe, expect, test } from "bun:test";
import type { AlertRule } from "../../src/domain/fleet.ts";
import type { SensorReport } from "../../src/domain/frame.ts";
import { alertsIn, drive, inSeries, inWords, type Moment, noon, rule, type Settings } from "./alerts-drive.ts";

function cargo(temperature_c: number | null, sensor = "cargo"): SensorReport {
  return { kind: "temperature", sensor, temperature_c, humidity_percent: null };
}

function tyre(change: { pressure?: number; celsius?: number; axle?: number; sensor?: string }): SensorReport {
  const { pressure = null, celsius = null, axle = 1, sensor = "left" } = change;
  return { kind: "tyre", sensor, axle, wheel: 1, pressure_kpa: pressure, temperature_c: celsius };
}

const measure: Readonly<Record<string, (value: number) => Partial<Moment>>> = {
  low_battery: (battery) => ({ battery }),
  low_external_voltage: (volts) => ({ volts }),
  temperature_high: (celsius) => ({ sensors: [cargo(celsius)] }),
  temperature_low: (celsius) => ({ sensors: [cargo(celsius)] }),
  tyre_pressure_low: (pressure) => ({ sensors: [tyre({ pressure })] }),
  tyre_temperature_high: (celsius) => ({ sensors: [tyre({ celsius })] }),
};

/** Type, parameters (null: no rule in the settings), what is guaranteed, readings as second:value, the alert. */
const cases: [AlertRule["alertType"], AlertRule["parameters"] | null, string, string, string][] = [
  ["low_battery", null, "20 % is enough", "0:20 60:20", ""],
  ["low_battery", null, "less is not", "0:19.9 60:19.9", "0 to now, warning, 19.9"],
  ["low_battery", null, "one reading is none", "0:80 60:0 120:80 180:0 240:80", ""],
  ["low_battery", null, "nor is it twice in one moment", "0:0 0:0 60:80", ""],
  ["low_battery", null, "the next one may be hours later", "0:19 43200:18", "0 to now, warning, 18"],
  ["low_battery", null, "10 % is a warning still", "0:10 60:10", "0 to now, warning, 10"],
  ["low_battery", null, "below it is critical", "0:15 60:9.9 120:15", "0 to now, critical, 9.9"],
  ["low_battery", null, "it is over from 23 %", "0:19 30:19 60:22.9 120:23", "0 to 120, warning, 19"],
  ["low_battery", null, "wavering is one alert", "0:19 30:19 60:20 120:19 180:22", "0 to now, warning, 19"],
  ["low_battery", { below_percent: 30 }, "as set", "0:29 30:29 60:33", "0 to 60, warning, 29"],
  ["low_battery", null, "what is no charge is passed over", "0:-1 1:101 2:NaN", ""],
  ["low_external_voltage", null, "11.5 V is enough", "0:11.5 300:11.5", ""],
  ["low_external_voltage", null, "less must last for 300 s", "0:11.4 299.999:11.4", ""],
  ["low_external_voltage", null, "then it is an alert", "0:11.4 300:11.2", "0 to now, warning, 11.2"],
  ["low_external_voltage", null, "without a break", "0:11.4 200:11.5 300:11.4", ""],
  ["low_external_voltage", null, "two readings an hour apart will do", "0:11 3600:11", "0 to now, warning, 11"],
  ["low_external_voltage", null, "further apart will not", "0:11 3600.001:11 3900:11", ""],
  ["low_external_voltage", null, "from the later on", "0:11 79200:10 79500:11", "79200 to now, warning, 10"],
  ["low_external_voltage", null, "once reported it lasts", "0:11 300:11 79200:11", "0 to now, warning, 11"],
  ["low_external_voltage", null, "an input that is not wired shows 0", "0:0 300:0 90000:0.9", ""],
  ["low_external_voltage", null, "from 1 V on it is wired", "0:1 300:1", "0 to now, warning, 1"],
  ["low_external_voltage", null, "a cut had a voltage before", "0:12.6 60:0 360:0", "60 to now, warning, 0"],
  ["low_external_voltage", null, "however long ago", "0:12.6 900000:0 900300:0", "900000 to now, warning, 0"],
  ["temperature_high", { above_c: 8 }, "an hour of silence counts", "0:9 3600:9", "0 to now, warning, 9"],
  ["temperature_high", { above_c: 8 }, "more does not", "0:9 3600.001:9", ""],
  ["low_external_voltage", null, "over from 2 % above", "0:11 300:11 400:11.72 500:11.73", "0 to 500, warning, 11"],
  ["low_external_voltage", { nominal_v: 24 }, "23 V at 24 V", "0:22.9 300:22.9", "0 to now, warning, 22.9"],
  ["low_external_voltage", { nominal_v: 24 }, "23 V is enough there", "0:23 300:23", ""],
  ["low_external_voltage", { nominal_v: 24, below_v: 22 }, "as set", "0:22 300:22", ""],
  ["temperature_high", null, "off without a limit", "0:300 300:300", ""],
  ["temperature_high", { above_c: 8 }, "at the limit it is within", "0:8 300:8", ""],
  ["temperature_high", { above_c: 8 }, "above it for 300 s it is not", "0:8.1 300:8.1", "0 to now, warning, 8.1"],
  ["temperature_high", { above_c: 8 }, "shorter it is", "0:8.1 299.9:8.1", ""],
  ["temperature_high", { above_c: 8 }, "5 °C beyond is critical", "0:9 300:13 360:9", "0 to now, critical, 13"],
  ["temperature_high", { above_c: 8 }, "just less is not", "0:9 300:12.9", "0 to now, warning, 12.9"],
  ["temperature_high", { above_c: 8 }, "over from 7.5", "0:9 300:9 400:7.6 500:7.5", "0 to 500, warning, 9"],
  ["temperature_high", { above_c: 8, sensor: "cargo" }, "for the sensor it names", "0:9 300:9", "0 to now, warning, 9"],
  ["temperature_high", { above_c: 8, sensor: "other" }, "not for others", "0:9 300:9", ""],
  ["temperature_low", null, "off without a limit", "0:-90 300:-90", ""],
  ["temperature_low", { below_c: 2 }, "at the limit it is within", "0:2 300:2", ""],
  ["temperature_low", { below_c: 2 }, "below it for 300 s it is not", "0:1.9 300:1.9", "0 to now, warning, 1.9"],
  ["temperature_low", { below_c: 2 }, "5 °C beyond is critical", "0:1 300:-3", "0 to now, critical, -3"],
  ["temperature_low", { below_c: 2 }, "just less is not", "0:1 300:-2.9", "0 to now, warning, -2.9"],
  ["temperature_low", { below_c: 2 }, "over half a degree within", "0:1 300:1 400:2.4 500:2.5", "0 to 500, warning, 1"],
  ["temperature_low", { below_c: 2 }, "a broken wire is passed over", "0:-127 300:-127", ""],
  ["tyre_pressure_low", null, "off without a nominal pressure", "0:0", ""],
  ["tyre_pressure_low", { nominal_kpa: 900 }, "from 80 % down", "0:720", "0 to now, warning, 720"],
  ["tyre_pressure_low", { nominal_kpa: 900 }, "not above", "0:720.1", ""],
  ["tyre_pressure_low", { nominal_kpa: 900 }, "70 % is critical", "0:630", "0 to now, critical, 630"],
  ["tyre_pressure_low", { nominal_kpa: 900 }, "above it is not", "0:630.1", "0 to now, warning, 630.1"],
  ["tyre_pressure_low", { nominal_kpa: 900 }, "over above 82 %", "0:700 60:738 120:738.1", "0 to 120, warning, 700"],
  ["tyre_pressure_low", { nominal_kpa: { "1": 850, "2": 900 } }, "by axle", "0:681 60:680", "60 to now, warning, 680"],
  ["tyre_pressure_low", { nominal_kpa: { "2": 900 } }, "an axle that is not named is off", "0:100", ""],
  ["tyre_temperature_high", null, "from 85 °C", "0:85", "0 to now, warning, 85"],
  ["tyre_temperature_high", null, "not below", "0:84.9", ""],
  ["tyre_temperature_high", null, "over 2 °C below", "0:90 60:83.1 120:83", "0 to 120, warning, 90"],
  ["tyre_temperature_high", { above_c: 100 }, "as set", "0:99.9 60:100", "60 to now, warning, 100"],
];

function settingsOf(alertType: AlertRule["alertType"], change: Partial<AlertRule> | null): Settings {
  return change === null ? {} : { rules: [[0, [rule(alertType, change)]]] };
}

function moments(alertType: string, series: string): Moment[] {
  return inSeries(series, (value) => measure[alertType]?.(value ?? Number.NaN) ?? {});
}

describe("a measured value", () => {
  test.each(cases)("%s %j: %s", (alertType, parameters, _, series, expected) => {
    const settings = settingsOf(alertType, parameters === null ? null : { parameters });
    const driven = drive(moments(alertType, series), settings);
    expect(inWords(driven)).toBe(expected);
    for (const alert of [...driven.final, ...driven.open]) expect(alert.alertType).toBe(alertType);
  });

  const bad: [AlertRule["alertType"], AlertRule["parameters"], number][] = [
    ["low_battery", {}, 5],
    ["low_external_voltage", {}, 5],
    ["temperature_high", { above_c: 8 }, 20],
    ["temperature_low", { below_c: 2 }, -20],
    ["tyre_pressure_low", { nominal_kpa: 900 }, 100],
    ["tyre_temperature_high", {}, 120],
  ];

  test.each(bad)("%s: nothing is reported where it is switched off", (alertType, parameters, value) => {
    const series = `0:${value} 300:${value}`;
    expect(alertsIn(drive(moments(alertType, series), settingsOf(alertType, { parameters, enabled: false })))).toEqual(
      [],
    );
  });

  test.each(bad)("%s: the rule's own severity holds however bad it is", (alertType, parameters, value) => {
    const settings = settingsOf(alertType, { parameters, severity: "info" });
    const series = `0:${value} 300:${value}`;
    expect(alertsIn(drive(moments(alertType, series), settings))).toEqual([[alertType, 0, null, "info", value]]);
  });

  test.each(bad)(
    "%s: ends with the first frame after it is switched off, read or not",
    (alertType, parameters, value) => {
      const off = rule(alertType, { parameters, enabled: false });
      const settings: Settings = {
        rules: [
          [0, [rule(alertType, { parameters })]],
          [400, [off]],
        ],
      };
      const driven = drive([...moments(alertType, `0:${value} 300:${value}`), { at: 401 }], settings);
      expect(driven.open).toEqual([]);
      expect(driven.final).toMatchObject([{ alertType, occurredAt: noon, endedAt: noon + 401_000 }]);
    },
  );

  test.each(bad)(
    "%s: is over when nothing was read for more than a day, with the last reading",
    (alertType, parameters, value) => {
      const settings = settingsOf(alertType, { parameters });
      const driven = drive(moments(alertType, `0:${value} 300:${value}`), settings);
      driven.step({ at: 300 + 86_400 });
      expect(driven.final).toEqual([]);
      driven.step({ at: 301 + 86_400 });
      expect(driven.final).toMatchObject([{ alertType, endedAt: noon + 300_000 }]);
      expect(driven.state.episodes).toEqual([]);
    },
  );
});

describe("sensors", () => {
  const limits = [
    rule("temperature_high", { parameters: { above_c: 8 } }),
    rule("temperature_high", { parameters: { above_c: 30, sensor: "cabin" } }),
  ];
  const twice = [0, 300].map((at): Moment => ({ at, sensors: [cargo(31), cargo(31, "cabin")] }));

  test("have an alert each, named after them", () => {
    const driven = drive(twice, { rules: [[0, limits]] });
    expect(driven.open.map(({ qualifier, threshold, message }) => [qualifier, threshold, message])).toEqual([
      ["cabin", 30, "31 °C at cabin, above 30 °C"],
      ["cargo", 8, "31 °C at cargo, above 8 °C"],
    ]);
  });

  test("with a rule of their own do not follow the general one", () => {
    const off = rule("temperature_high", { enabled: false, parameters: { sensor: "cabin" } });
    const driven = drive(twice, { rules: [[0, [...limits, off]]] });
    expect(driven.open.map(({ qualifier }) => qualifier)).toEqual(["cargo"]);
  });

  test("a tyre that goes to another axle is under that axle's rule", () => {
    const nominal = rule("tyre_pressure_low", { parameters: { nominal_kpa: { "1": 850, "2": 900 } } });
    const at = (seconds: number, axle: number) => ({ at: seconds, sensors: [tyre({ pressure: 600, axle })] });
    expect(alertsIn(drive([at(0, 1), at(60, 2)], { rules: [[0, [nominal]]] }))).toEqual([
      ["tyre_pressure_low", 0, 60, "warning", 600],
      ["tyre_pressure_low", 60, null, "critical", 600],
    ]);
  });

  test("an alert that ends and comes again in one moment is one", () => {
    const at = (celsius: number) => ({ at: 0, sensors: [tyre({ celsius })] });
    const driven = drive([at(90), at(50), at(95)]);
    expect(alertsIn(driven)).toEqual([["tyre_temperature_high", 0, null, "warning", 95]]);
    driven.step(at(50));
    driven.step({ at: 1 });
    expect(alertsIn(driven)).toEqual([["tyre_temperature_high", 0, 0, "warning", 95]]);
  });

  test("no more than twelve are followed at once, and none with an endless name", () => {
    const many = Array.from({ length: 40 }, (_, index) => tyre({ celsius: 90, sensor: `tyre ${index}` }));
    const driven = drive([{ at: 0, sensors: [tyre({ celsius: 90, sensor: "x".repeat(65) }), ...many] }]);
    expect(driven.open).toHaveLength(12);
    driven.step({
      at: 1,
      sensors: [tyre({ celsius: 20, sensor: "tyre 0" }), tyre({ celsius: 90, sensor: "x".repeat(64) })],
    });
    expect(driven.open.map(({ qualifier }) => qualifier)).toContain("x".repeat(64));
  });

  test("an invalid frame's readings count, at the last known place", () => {
    const low = [1, 2].map((at): Moment => ({ at, valid: false, battery: 5 }));
    expect(drive([{ at: 0 }, ...low]).open).toMatchObject([{ alertType: "low_battery", latitude: 52, longitude: 13 }]);
    expect(drive(low).open).toMatchObject([{ latitude: null, longitude: null }]);
  });
});

test("settings from before they were checked are read as far as they can be", () => {
  const odd = [
    rule("low_battery", { parameters: { below_percent: "half" } }),
    rule("speeding", { parameters: { limit_kmh: [50] } }),
    rule("tyre_pressure_low", { parameters: { nominal_kpa: { front: 800 } } }),
  ];
  const moment = { speed: 200, battery: 19, sensors: [tyre({ pressure: 0 })] };
  const twice = [0, 10].map((at) => ({ at, ...moment }));
  expect(alertsIn(drive(twice, { rules: [[0, odd]] }))).toEqual([["low_battery", 0, null, "warning", 19]]);
});
