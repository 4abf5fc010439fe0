import { isTrackerId } from "../../../domain/text/identifiers.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";
import { fieldProblems } from "../common/loading/error-words.ts";
import type { VehicleStatus } from "./vehicle-records.ts";

type VehicleWords = AdministrationTexts["vehicles"];

/** What a person types of a vehicle: how long it may be, and what the form calls it. */
export const typedFields = {
  imei: [24, ({ imei }) => imei],
  name: [200, ({ name }) => name],
  plate: [32, ({ plate }) => plate],
  vin: [32, ({ vin }) => vin],
  vehicle_make: [100, ({ make }) => make],
  vehicle_model: [100, ({ model }) => model],
  vehicle_year: [4, ({ year }) => year],
  vehicle_type: [100, ({ kind }) => kind],
  tracker_model: [100, ({ trackerModel }) => trackerModel],
  tracker_clock: [50, ({ trackerClock }) => trackerClock],
  tracker_id: [64, ({ trackerId }) => trackerId],
  tracker_protocol: [16, ({ trackerProtocol }) => trackerProtocol],
  fuel_tank_capacity_l: [12, ({ tank }, volumeUnit) => tank(volumeUnit)],
} as const satisfies Readonly<
  Record<string, readonly [maxLength: number, label: (words: VehicleWords, volumeUnit: string) => string]>
>;

export type TypedField = keyof typeof typedFields;

const typedNames = Object.keys(typedFields) as TypedField[];

/** The content of a vehicle's form. Figures are as they were typed, in the person's units. */
export interface VehicleForm extends Readonly<Record<TypedField, string>> {
  readonly status: VehicleStatus;
  readonly tags: readonly string[];
  readonly external_ids: readonly ExternalId[];
  readonly user_ids: readonly string[];
}

export interface ExternalId {
  readonly system: string;
  readonly id: string;
}

type Line = Partial<Omit<FleetVehicle, "device_id" | "revision" | "managed_by" | "last_seen_at">>;

/** The form of a vehicle, or of its line in a fleet file, which leaves out what is not set. The unit is the person's of volume. */
export function vehicleFormOf(vehicle: Line, litresPerUnit: number): VehicleForm {
  const capacity = vehicle.fuel_tank_capacity_l ?? null;
  const shown = { ...vehicle, fuel_tank_capacity_l: capacity && Math.round((capacity / litresPerUnit) * 10) / 10 };
  const typed = Object.fromEntries(typedNames.map((name) => [name, String(shown[name] ?? "")]));
  return {
    ...(typed as Record<TypedField, string>),
    status: vehicle.status ?? "active",
    tags: vehicle.tags ?? [],
    external_ids: Object.entries(vehicle.external_ids ?? {}).map(([system, id]) => ({ system, id })),
    user_ids: vehicle.user_ids ?? [],
  };
}

/** The fields of the vehicle's line that differ between the two. What was not touched is not sent, so it stays as it is. */
export function changedVehicleFields(
  before: VehicleForm,
  after: VehicleForm,
  litresPerUnit: number,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(after) as (keyof VehicleForm)[]) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      fields[name] = sentValue(name, after, litresPerUnit);
  }
  return fields;
}

function sentValue(name: keyof VehicleForm, form: VehicleForm, litresPerUnit: number): unknown {
  switch (name) {
    case "vehicle_year":
      return numberOf(form.vehicle_year);
    case "fuel_tank_capacity_l": {
      const typed = numberOf(form.fuel_tank_capacity_l);
      return typeof typed === "number" ? Math.round(typed * litresPerUnit * 100) / 100 : typed;
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
    case "tracker_id":
      return form.tracker_id.replaceAll(/\s/g, "") || null;
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

const lineNames = [...typedNames, "status", "tags", "external_ids", "user_ids"] as const;

/** The fields of a vehicle's line, without those that are not set: as the server gives another person's changes. */
export function vehicleLineOf(vehicle: Line): Readonly<Record<string, unknown>> {
  const isSet = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(lineNames.flatMap((name) => (isSet(vehicle[name]) ? [[name, vehicle[name]]] : [])));
}

export function fieldName(field: string, words: VehicleWords, volumeUnit: string): string | undefined {
  const others: Readonly<Record<string, string>> = {
    status: words.statusColumn,
    tags: words.tags,
    external_ids: words.externalIds,
    user_ids: words.seenByTitle,
  };
  return field in typedFields ? typedFields[field as TypedField][1](words, volumeUnit) : others[field];
}

const digits = /^[0-9]{14,16}$/;

const textFields = ["vin", "vehicle_make", "vehicle_model", "vehicle_type", "tracker_model"] as const;

export function vehicleProblems(
  error: unknown,
  { errors }: Pick<Texts, "errors">,
  { imei, imeiTaken, trackerId, trackerIdTaken, tooLong, ...others }: VehicleWords["problems"],
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const fields = {
    ...errors.fields,
    ...others,
    ...Object.fromEntries(textFields.map((name) => [name, tooLong(typedFields[name][0])])),
    imei: digits.test(String(sent.imei)) ? imeiTaken : imei,
    tracker_id: isTrackerId(String(sent.tracker_id).trim()) ? trackerIdTaken : trackerId,
  };
  return fieldProblems(error, { errors: { ...errors, fields } });
}
