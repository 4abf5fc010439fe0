import { z } from "zod";
import { deviceStatuses } from "../../domain/fleet.ts";
import type { DeviceRow, DeviceState } from "../../store/devices.ts";
import { presenter } from "./body.ts";
import { deviceFields, instant } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys, openBrace } from "./literal.ts";
import { story, thatMorning } from "./story.ts";

const key = {
  ...keys("name", "plate", "status", "vin", "vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type"),
  ...keys("tracker_model", "fuel_tank_capacity_l", "tags", "external_ids", "odometer_km", "last_seen_at"),
  ...keys("last_position_at", "created_at", "updated_at"),
};

/** The JSON of a device around what its frames change. */
export interface DeviceText {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** A device whose text is known, and what its frames tell of it. */
export interface KnownDevice {
  readonly text: DeviceText;
  readonly state: DeviceState;
}

export function writeDevice(json: JsonWriter, row: DeviceRow): void {
  writeBefore(json, row);
  writeState(json, row);
  writeAfter(json, row);
}

export function writeKnownDevice(json: JsonWriter, { text, state }: KnownDevice): void {
  json.json(text.before);
  writeState(json, state);
  json.json(text.after);
}

export function deviceText(row: DeviceRow): DeviceText {
  return { id: row.id, before: presentBefore(row), after: presentAfter(row) };
}

function writeBefore(json: JsonWriter, row: DeviceRow): void {
  json.literal(openBrace);
  json.device(row.id, row.imei);
  json.literal(key.name);
  json.text(row.name);
  json.literal(key.plate);
  json.text(row.plate);
  json.literal(key.status);
  json.plain(row.status);
  json.literal(key.vin);
  json.text(row.vin);
  json.literal(key.vehicle_make);
  json.text(row.vehicle_make);
  json.literal(key.vehicle_model);
  json.text(row.vehicle_model);
  json.literal(key.vehicle_year);
  json.decimal(row.vehicle_year, 0);
  json.literal(key.vehicle_type);
  json.text(row.vehicle_type);
  json.literal(key.tracker_model);
  json.text(row.tracker_model);
  json.literal(key.fuel_tank_capacity_l);
  json.number(row.fuel_tank_capacity_l);
  json.literal(key.tags);
  json.json(row.tags_json);
  json.literal(key.external_ids);
  json.json(row.external_ids_json);
}

function writeState(json: JsonWriter, state: DeviceState): void {
  json.literal(key.odometer_km);
  json.decimal(state.odometer_m, 3);
  json.literal(key.last_seen_at);
  json.instant(state.last_seen_at);
  json.literal(key.last_position_at);
  json.instant(state.last_position_at);
}

function writeAfter(json: JsonWriter, row: DeviceRow): void {
  json.literal(key.created_at);
  json.instant(row.created_at);
  json.literal(key.updated_at);
  json.instant(row.updated_at);
  json.literal(closeBrace);
}

export const presentDevice = presenter(writeDevice);
const presentBefore = presenter(writeBefore);
const presentAfter = presenter(writeAfter);

export const exampleDeviceRow: DeviceRow = {
  account_id: 1,
  device: 7,
  id: story.deviceId,
  imei: story.imei,
  name: story.name,
  plate: story.plate,
  status: "active",
  vin: "W1V9076331P412073",
  vehicle_make: "Mercedes-Benz",
  vehicle_model: "Sprinter 317 CDI",
  vehicle_year: 2024,
  vehicle_type: "van",
  tracker_model: "Teltonika FMC130",
  fuel_tank_capacity_l: 71,
  tags_json: JSON.stringify(["refrigerated", "day shift"]),
  external_ids_json: JSON.stringify({ sap: "10004711" }),
  created_at: Date.parse("2025-11-03T09:12:44.310Z"),
  updated_at: Date.parse("2026-02-27T14:05:09.021Z"),
  odometer_m: 184_037_912,
  last_seen_at: thatMorning("08:02:31") + 184,
  last_position_at: thatMorning("08:02:30"),
};
export const exampleDeviceRecord: unknown = JSON.parse(presentDevice(exampleDeviceRow));

export const deviceSchema = z
  .strictObject({
    ...deviceFields,
    name: z.string().meta({ description: "What the fleet calls it.", examples: [story.name] }),
    plate: z
      .string()
      .nullable()
      .meta({ description: "The vehicle's number plate.", examples: [story.plate] }),
    status: z.enum(deviceStatuses).describe("As the fleet's owner has set it; it does not follow the tracker."),
    vin: z.string().nullable().describe("Vehicle identification number."),
    vehicle_make: z.string().nullable().describe("The vehicle's maker."),
    vehicle_model: z.string().nullable().describe("The vehicle's model."),
    vehicle_year: z.int().min(1900).max(2100).nullable().describe("The vehicle's model year."),
    vehicle_type: z
      .string()
      .nullable()
      .meta({ description: "Free text, such as `van`.", examples: ["van"] }),
    tracker_model: z.string().nullable().describe("The tracker's maker and model."),
    fuel_tank_capacity_l: z.number().min(1).max(100_000).nullable().describe("Litres that the tank holds."),
    tags: z.array(z.string()).describe("The fleet's own labels."),
    external_ids: z
      .record(z.string(), z.string())
      .describe("The device's names in other systems: the system's name, and the id there."),
    odometer_km: z.number().nullable().describe("The odometer at the newest position, in kilometres."),
    last_seen_at: instant.nullable().describe("When a frame was last received, valid or not; null: never."),
    last_position_at: instant
      .nullable()
      .describe("When the position that `/positions/latest` shows was recorded; null: none yet."),
    created_at: instant.describe("When the device was first loaded."),
    updated_at: instant.describe("When what its owner says of it last changed; frames do not change it."),
  })
  .meta({ id: "Device", description: "A vehicle with its tracker.", examples: [exampleDeviceRecord] });
