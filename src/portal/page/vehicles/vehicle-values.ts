import type { SubAccount } from "../api/portal-records.ts";
import type { Show } from "../common/show.ts";
import type { ShownFields } from "../fleet/conflict-words.ts";
import type { AdministrationTexts } from "../texts/texts.ts";
import { fieldNames, lineOf } from "./vehicle-form.ts";
import type { FleetVehicle, VehicleStatus } from "./vehicle-records.ts";

interface Given {
  readonly words: AdministrationTexts["vehicles"];
  readonly show: Show;
  readonly people: readonly SubAccount[];
}

/** How the fields of a vehicle's line are told. */
export function vehicleFields(opened: Partial<FleetVehicle>, { words, show, people }: Given): ShownFields {
  const names = fieldNames(words, show.volumeUnit);
  return {
    opened: lineOf(opened),
    fieldName: (field) => names[field],
    fieldValue: (field, value) => {
      switch (field) {
        case "status":
          return words.status[value as VehicleStatus];
        case "fuel_tank_capacity_l":
          return value === null ? undefined : show.number(Math.round(show.volumeIn(Number(value)) * 10) / 10);
        case "tags":
          return listOf(value).join(", ");
        case "user_ids":
          return value === null ? words.onlyOwner : namesOf(listOf(value), people).join(", ");
        default:
          return undefined;
      }
    },
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function namesOf(ids: readonly string[], people: readonly SubAccount[]): readonly string[] {
  return ids.map((id) => people.find(({ user_id }) => user_id === id)?.name ?? id);
}
