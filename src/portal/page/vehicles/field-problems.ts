import { fieldProblems } from "../common/error-words.ts";
import type { AdministrationTexts, Texts } from "../texts/texts.ts";
import { typedFields } from "./vehicle-form.ts";

const digits = /^[0-9]{14,16}$/;

const textFields = ["vin", "vehicle_make", "vehicle_model", "vehicle_type", "tracker_model"] as const;

/** What is wrong with the fields of a vehicle, in the person's language. */
export function vehicleProblems(
  error: unknown,
  { errors }: Pick<Texts, "errors">,
  { imei, imeiTaken, tooLong, ...others }: AdministrationTexts["vehicles"]["problems"],
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const fields = {
    ...errors.fields,
    ...others,
    ...Object.fromEntries(textFields.map((name) => [name, tooLong(typedFields[name][0])])),
    imei: digits.test(String(sent.imei)) ? imeiTaken : imei,
  };
  return fieldProblems(error, { errors: { ...errors, fields } });
}
