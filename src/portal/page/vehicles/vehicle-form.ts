import type { AdministrationTexts } from "../texts/texts.ts";
import type { FleetVehicle, VehicleStatus } from "./vehicle-records.ts";

/** What stands in the form of a vehicle. Figures are as they were typed, in the person's units. */
export interface VehicleForm {
  readonly imei: string;
  readonly name: string;
  readonly plate: string;
  readonly status: VehicleStatus;
  readonly vin: string;
  readonly vehicle_make: string;
  readonly vehicle_model: string;
  readonly vehicle_year: string;
  readonly vehicle_type: string;
  readonly tracker_model: string;
  readonly fuel_tank_capacity_l: string;
  readonly tags: readonly string[];
  readonly external_ids: readonly ExternalId[];
  readonly user_ids: readonly string[];
}

export interface ExternalId {
  readonly system: string;
  readonly id: string;
}

/** How many litres one of the person's units of volume is. */
export interface TankUnit {
  readonly litres: number;
}

type Line = Partial<Omit<FleetVehicle, "device_id" | "revision" | "managed_by" | "last_seen_at">>;

/** The form of a vehicle, or of its line in a fleet file, which leaves out what is not set. */
export function formOf(vehicle: Line, { litres }: TankUnit): VehicleForm {
  const capacity = vehicle.fuel_tank_capacity_l ?? null;
  return {
    imei: vehicle.imei ?? "",
    name: vehicle.name ?? "",
    plate: vehicle.plate ?? "",
    status: vehicle.status ?? "active",
    vin: vehicle.vin ?? "",
    vehicle_make: vehicle.vehicle_make ?? "",
    vehicle_model: vehicle.vehicle_model ?? "",
    vehicle_year: vehicle.vehicle_year == null ? "" : String(vehicle.vehicle_year),
    vehicle_type: vehicle.vehicle_type ?? "",
    tracker_model: vehicle.tracker_model ?? "",
    fuel_tank_capacity_l: capacity === null ? "" : String(Math.round((capacity / litres) * 10) / 10),
    tags: vehicle.tags ?? [],
    external_ids: Object.entries(vehicle.external_ids ?? {}).map(([system, id]) => ({ system, id })),
    user_ids: vehicle.user_ids ?? [],
  };
}

const emptyForm = formOf({}, { litres: 1 });

/** The fields of the vehicle's line that differ between the two. What was not touched is not sent, so it stays as it is. */
export function changedFields(before: VehicleForm, after: VehicleForm, unit: TankUnit): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(after) as (keyof VehicleForm)[]) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) fields[name] = sentValue(name, after, unit);
  }
  return fields;
}

function sentValue(name: keyof VehicleForm, form: VehicleForm, { litres }: TankUnit): unknown {
  switch (name) {
    case "vehicle_year":
      return numberOf(form.vehicle_year);
    case "fuel_tank_capacity_l": {
      const typed = numberOf(form.fuel_tank_capacity_l);
      return typeof typed === "number" ? Math.round(typed * litres * 100) / 100 : typed;
    }
    case "external_ids":
      return Object.fromEntries(
        form.external_ids
          .filter(({ system, id }) => system.trim() !== "" || id.trim() !== "")
          .map(({ system, id }) => [system.trim(), id]),
      );
    case "imei":
      // As labels and spreadsheets print it.
      return form.imei.replaceAll(/[\s-]/g, "");
    default:
      return typeof form[name] === "string" && form[name].trim() === "" && name !== "name" ? null : form[name];
  }
}

/** What is no number stays a text, which the server refuses by the name of the field. */
function numberOf(text: string): number | string | null {
  const typed = text.trim().replace(",", ".");
  if (typed === "") return null;
  const number = Number(typed);
  return Number.isFinite(number) ? number : text;
}

/** The fields of a vehicle's line, without those that are not set: as the server says what somebody else has stored. */
export function lineOf(vehicle: Line): Readonly<Record<string, unknown>> {
  const isSet = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.keys(emptyForm).flatMap((name) => {
      const value = vehicle[name as keyof Line];
      return isSet(value) ? [[name, value]] : [];
    }),
  );
}

/** What the form calls a field of the line. */
export function fieldNames(
  words: AdministrationTexts["vehicles"],
  volumeUnit: string,
): Readonly<Record<string, string | undefined>> {
  const names: Readonly<Record<keyof VehicleForm, string>> = {
    imei: words.imei,
    name: words.name,
    plate: words.plate,
    status: words.statusColumn,
    vin: words.vin,
    vehicle_make: words.make,
    vehicle_model: words.model,
    vehicle_year: words.year,
    vehicle_type: words.kind,
    tracker_model: words.trackerModel,
    fuel_tank_capacity_l: words.tank(volumeUnit),
    tags: words.tags,
    external_ids: words.externalIds,
    user_ids: words.seenByTitle,
  };
  return names;
}
