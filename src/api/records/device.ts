import { z } from "zod";
import { deviceStatuses } from "../../domain/fleet.ts";
import { maxTrackerIdLength } from "../../domain/text/identifiers.ts";
import { trackerProtocols } from "../../domain/tracker-protocols.ts";
import type { DeviceRow, DeviceState } from "../../store/fleet/devices.ts";
import { imeiText, timeOrNull, timeValue, uuidText } from "./fields.ts";
import { thousandths } from "./measures.ts";
import { apiRecord, field, jsonOf, type RecordFields } from "./record.ts";
import { story, thatMorning } from "./story.ts";

const text = z.string().nullable();

const ownFields: RecordFields<DeviceRow> = {
  device_id: field(uuidText, "The device's id.", (row) => row.id, [story.deviceId]),
  imei: field(imeiText, "The tracker's IMEI, 14 to 16 digits.", (row) => row.imei, [story.imei]),
  name: field(z.string(), "What the fleet calls it.", (row) => row.name, [story.name]),
  plate: field(text, "The vehicle's number plate.", (row) => row.plate, [story.plate]),
  status: field(
    z.enum(deviceStatuses),
    "As the fleet's owner has set it; it does not follow the tracker.",
    (row) => row.status,
  ),
  vin: field(text, "Vehicle identification number.", (row) => row.vin),
  vehicle_make: field(text, "The vehicle's maker.", (row) => row.vehicle_make),
  vehicle_model: field(text, "The vehicle's model.", (row) => row.vehicle_model),
  vehicle_year: field(z.int().min(1900).max(2100).nullable(), "The vehicle's model year.", (row) => row.vehicle_year),
  vehicle_type: field(text, "Free text, such as `van`.", (row) => row.vehicle_type, ["van"]),
  tracker_model: field(text, "The tracker's maker and model.", (row) => row.tracker_model),
  tracker_clock: field(
    text,
    "What the tracker's clock shows: an IANA time zone, or how far it is ahead of UTC (`+08:00`, `-360s`); null: UTC. " +
      "Times of its frames are converted when they come in.",
    (row) => row.tracker_clock,
  ),
  tracker_id: field(
    z.string().max(maxTrackerIdLength).nullable(),
    "What the tracker calls itself if it does not use its IMEI: a phone number, or the digits of its id; null: its IMEI.",
    (row) => row.tracker_id,
    ["013812345678"],
  ),
  tracker_protocol: field(
    z.enum(trackerProtocols).nullable(),
    "The only protocol in which a tracker that calls the server itself may report as this device; null: any.",
    (row) => row.tracker_protocol,
  ),
  fuel_tank_capacity_l: field(
    z.number().min(1).max(100_000).nullable(),
    "Litres that the tank holds.",
    (row) => row.fuel_tank_capacity_l,
  ),
  tags: field(z.array(z.string()), "The fleet's own labels.", (row) => JSON.parse(row.tags_json)),
  external_ids: field(
    z.record(z.string(), z.string()),
    "The device's names in other systems: the system's name, and the id there.",
    (row) => JSON.parse(row.external_ids_json),
  ),
};

/** What frames change. */
const stateFields: RecordFields<DeviceState> = {
  odometer_km: thousandths("The odometer at the newest position, in kilometres.", (row) => row.odometer_m),
  last_seen_at: timeOrNull("When a frame was last received, valid or not; null: never.", (row) => row.last_seen_at),
  last_position_at: timeOrNull(
    "When the position that `/positions/latest` shows was recorded; null: none yet.",
    (row) => row.last_position_at,
  ),
};

const dateFields: RecordFields<DeviceRow> = {
  created_at: timeValue("When the device was first loaded.", (row) => row.created_at),
  updated_at: timeValue(
    "When what its owner says of it last changed; frames do not change it.",
    (row) => row.updated_at,
  ),
};

export const device = apiRecord<DeviceRow>({
  name: "Device",
  description: "A vehicle with its tracker.",
  fields: { ...ownFields, ...stateFields, ...dateFields },
  exampleRow: {
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
    tracker_clock: null,
    tracker_id: null,
    tracker_protocol: "teltonika",
    fuel_tank_capacity_l: 71,
    tags_json: JSON.stringify(["refrigerated", "day shift"]),
    external_ids_json: JSON.stringify({ sap: "10004711" }),
    created_at: Date.parse("2025-11-03T09:12:44.310Z"),
    updated_at: Date.parse("2026-02-27T14:05:09.021Z"),
    odometer_m: 184_037_912,
    last_seen_at: thatMorning("08:02:31") + 184,
    last_position_at: thatMorning("08:02:30"),
  },
});

const ownJson = jsonOf(ownFields);
const stateJson = jsonOf(stateFields);
const datesJson = jsonOf(dateFields);

/** The JSON of a device as it was last shown. What frames change, in its middle, is written again if they did. */
export class DeviceText {
  readonly id: string;
  #json: string;
  #state: DeviceState;
  readonly #stateStart: number;
  readonly #datesLength: number;

  constructor(row: DeviceRow) {
    const own = ownJson([row]).slice(0, -1);
    const dates = datesJson([row]).slice(1);
    this.id = row.id;
    this.#json = `${own},${stateJson([row]).slice(1, -1)},${dates}`;
    const { device: number, odometer_m, last_seen_at, last_position_at } = row;
    this.#state = { device: number, odometer_m, last_seen_at, last_position_at };
    this.#stateStart = own.length + 1;
    this.#datesLength = dates.length + 1;
  }

  json(state: DeviceState): string {
    if (!isSameState(state, this.#state)) {
      const own = this.#json.slice(0, this.#stateStart);
      const dates = this.#json.slice(-this.#datesLength);
      this.#json = `${own}${stateJson([state]).slice(1, -1)}${dates}`;
      this.#state = state;
    }
    return this.#json;
  }
}

function isSameState(one: DeviceState, other: DeviceState): boolean {
  return (
    one.odometer_m === other.odometer_m &&
    one.last_seen_at === other.last_seen_at &&
    one.last_position_at === other.last_position_at
  );
}

/** A device whose text is cached, and what its frames report. */
export interface KnownDevice {
  readonly text: DeviceText;
  readonly state: DeviceState;
}
