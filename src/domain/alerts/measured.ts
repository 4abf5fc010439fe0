import type { SensorReport, TemperatureReport, TyreReport } from "../frame.ts";
import type { AlertInput, Episodes } from "./episode.ts";
import { followLevel, type LevelRule } from "./level-rule.ts";
import { maxSensorNameLength } from "./parameters.ts";

const fiveMinutesMs = 300_000;

/** Reported in whole percent, it wavers by one or two: over from 3 points above. A single reading of 0 is an error. */
const lowBattery: LevelRule = {
  alertType: "low_battery",
  worse: "lower",
  holdMs: 0,
  isRepeated: true,
  isPassed: (percent, below) => percent < below,
  isOver: (percent, below) => percent >= below + 3,
};

/** Over from 2 % above: a battery at rest drifts by a tenth of a volt; a running engine raises it much more. */
const lowVoltage: LevelRule = {
  alertType: "low_external_voltage",
  worse: "lower",
  holdMs: fiveMinutesMs,
  isPassed: (volts, below) => volts < below,
  isOver: (volts, below) => volts >= below * 1.02,
};

/** Over from half a degree within the range: a cooler swings by as much. */
const temperatureHigh: LevelRule = {
  alertType: "temperature_high",
  worse: "higher",
  holdMs: fiveMinutesMs,
  isPassed: (celsius, above) => celsius > above,
  isOver: (celsius, above) => celsius <= above - 0.5,
};

const temperatureLow: LevelRule = {
  alertType: "temperature_low",
  worse: "lower",
  holdMs: fiveMinutesMs,
  isPassed: (celsius, below) => celsius < below,
  isOver: (celsius, below) => celsius >= below + 0.5,
};

/** Over above 82 % of the nominal pressure; the threshold is 80 % of it. */
const tyrePressureLow: LevelRule = {
  alertType: "tyre_pressure_low",
  worse: "lower",
  holdMs: 0,
  isPassed: (kpa, low) => kpa <= low,
  isOver: (kpa, low) => kpa * 80 > low * 82,
};

/** Over from 2 °C below. */
const tyreTemperatureHigh: LevelRule = {
  alertType: "tyre_temperature_high",
  worse: "higher",
  holdMs: 0,
  isPassed: (celsius, hot) => celsius >= hot,
  isOver: (celsius, hot) => celsius <= hot - 2,
};

/** No supply is lower. An input that nothing is wired to shows 0, or little more. */
const leastSupplyVolts = 1;
const mostVolts = 1000;

/** Whether the tracker has ever been wired to a supply. Until then what it reads there is no voltage: none was cut. */
export function hasSupplyAfter(hasSupply: boolean, { sighting: { frame } }: AlertInput): boolean {
  return hasSupply || isWithin(frame.external_voltage_v, leastSupplyVolts, mostVolts);
}

/** The tracker's battery and the vehicle's supply. */
export function stepPower(episodes: Episodes, hasSupply: boolean, input: AlertInput): Episodes {
  const { byType } = input.rules;
  const { battery_percent: percent, external_voltage_v: volts } = input.sighting.frame;
  let next = episodes;
  if (isWithin(percent, 0, 100)) next = followLevel(next, lowBattery, "", percent, byType.low_battery, input);
  if (hasSupply && isWithin(volts, 0, mostVolts)) {
    next = followLevel(next, lowVoltage, "", volts, byType.low_external_voltage, input);
  }
  return next;
}

/** One sensor of the vehicle. Impossible values (-127 °C from a broken wire) are ignored. */
export function stepSensor(episodes: Episodes, report: SensorReport, input: AlertInput): Episodes {
  if (report.sensor === "" || report.sensor.length > maxSensorNameLength) return episodes;
  switch (report.kind) {
    case "temperature":
      return stepTemperature(episodes, report, input);
    case "tyre":
      return stepTyre(episodes, report, input);
    case "fuel":
      return episodes;
  }
}

function stepTemperature(episodes: Episodes, report: TemperatureReport, input: AlertInput): Episodes {
  const { sensor, temperature_c: celsius } = report;
  const { byType, bySensor } = input.rules;
  if (!isTemperature(celsius)) return episodes;
  const high = bySensor.temperature_high.get(sensor);
  const low = bySensor.temperature_low.get(sensor);
  const highRule = high === undefined ? byType.temperature_high : high;
  const lowRule = low === undefined ? byType.temperature_low : low;
  const next = followLevel(episodes, temperatureHigh, sensor, celsius, highRule, input);
  return followLevel(next, temperatureLow, sensor, celsius, lowRule, input);
}

function stepTyre(episodes: Episodes, report: TyreReport, input: AlertInput): Episodes {
  const { sensor, axle, pressure_kpa: kpa, temperature_c: celsius } = report;
  const { byType, tyrePressureByAxle } = input.rules;
  let next = episodes;
  if (isWithin(kpa, 0, 5000)) {
    const rule = tyrePressureByAxle.get(axle) ?? byType.tyre_pressure_low;
    next = followLevel(next, tyrePressureLow, sensor, kpa, rule, input);
  }
  if (!isTemperature(celsius)) return next;
  return followLevel(next, tyreTemperatureHigh, sensor, celsius, byType.tyre_temperature_high, input);
}

function isTemperature(celsius: number | null): celsius is number {
  return isWithin(celsius, -100, 300);
}

function isWithin(value: number | null, min: number, max: number): value is number {
  return value !== null && value >= min && value <= max;
}
