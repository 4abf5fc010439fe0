import type { SensorReport } from "../../domain/frame.ts";
import type { RawObject } from "../../domain/text/raw-object.ts";
import { booleanOf, type ForeignFields, measured, numberOf } from "./foreign.ts";
import { isVisibleText, trimmed } from "./read-value.ts";
import { metresToKm } from "./units.ts";

/** Traccar numbers temperatures from 1. None of its decoders reports more than these. */
const maxTemperatures = 16;
const temperatureNames = Array.from({ length: maxTemperatures }, (_, index) => `temp${index + 1}`);
/** No tracker sends more at once. */
const maxAlarms = 16;

/** Our names for alarms of Traccar. Any other alarm is stored under its own name. */
const eventByAlarm: Readonly<Record<string, string>> = {
  accident: "crash",
  hardAcceleration: "harsh_acceleration",
  hardBraking: "harsh_braking",
  hardCornering: "harsh_cornering",
  powerCut: "power_cut",
  removing: "tampering",
};

/**
 * What Traccar's attributes report of the vehicle. `totalDistance` is not read: Traccar adds it to every message as its own sum
 * over positions, so it would mix with the odometer of a vehicle that does not send it each time. `battery` is not read either:
 * it is the voltage of the tracker's own battery, for which a frame has no field.
 */
export function readAttributes(attributes: RawObject, batteryLevel = attributes.batteryLevel): ForeignFields {
  const metres = numberOf(attributes.odometer) ?? numberOf(attributes.obdOdometer);
  return {
    satellites: measured(numberOf(attributes.sat), "satellites"),
    hdop: measured(numberOf(attributes.hdop), "hdop"),
    ignition: booleanOf(attributes.ignition),
    odometer_km: measured(metres === null ? null : metresToKm(metres), "odometer_km"),
    battery_percent: measured(numberOf(batteryLevel), "battery_percent"),
    external_voltage_v: measured(numberOf(attributes.power), "external_voltage_v"),
    sensors: readSensors(attributes),
    driver_id: readDriver(attributes.driverUniqueId),
  };
}

function readDriver(value: unknown): string | undefined {
  const text = trimmed(value);
  return isVisibleText(text) ? text : undefined;
}

/** The events of an alarm attribute, without repeats. It holds one alarm, or several separated by commas. */
export function eventsOfAlarm(alarm: unknown): readonly string[] {
  if (typeof alarm !== "string") return [];
  const names = alarm.split(",", maxAlarms).map((part) => part.trim());
  const events = names.map((name) => (Object.hasOwn(eventByAlarm, name) ? (eventByAlarm[name] ?? name) : name));
  return [...new Set(events)].filter(isVisibleText);
}

function readSensors(attributes: RawObject): readonly SensorReport[] {
  const sensors: SensorReport[] = [];
  const level_percent = measured(numberOf(attributes.fuelLevel), "level_percent");
  const volume_l = measured(numberOf(attributes.fuel), "volume_l");
  if (level_percent !== null || volume_l !== null) {
    sensors.push({ kind: "fuel", sensor: "tank_1", level_percent, volume_l });
  }
  for (const [index, name] of temperatureNames.entries()) {
    const temperature_c = measured(numberOf(attributes[name]), "temperature_c");
    const humidity_percent = index === 0 ? measured(numberOf(attributes.humidity), "humidity_percent") : null;
    if (temperature_c === null && humidity_percent === null) continue;
    sensors.push({ kind: "temperature", sensor: `temp_${index + 1}`, temperature_c, humidity_percent });
  }
  return sensors;
}
