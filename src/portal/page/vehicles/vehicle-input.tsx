import type { ComponentProps } from "react";
import { Field } from "../common/fields/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type TypedField, typedFields } from "./vehicle-form.ts";

interface VehicleInputProps {
  readonly name: TypedField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Unless it is the usual one. */
  readonly label?: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly onBlur?: () => void;
  readonly "data-first-focus"?: boolean;
}

/** What a field is like besides its length and its name. */
const kinds: Readonly<Partial<Record<TypedField, Partial<ComponentProps<typeof Field>>>>> = {
  name: { required: true },
  imei: { required: true, inputMode: "numeric", doubt: "imei" },
  vehicle_year: { inputMode: "numeric" },
  fuel_tank_capacity_l: { inputMode: "decimal" },
};

/** A field of a vehicle: the same for whoever adds one, connects its tracker or edits it. */
export function VehicleInput({ name, value, onChange, label, hint, ...field }: VehicleInputProps) {
  const { vehicles: words, show } = useAdministrationTexts();
  const [maxLength, usualLabel] = typedFields[name];
  const hints: Readonly<Partial<Record<TypedField, string>>> = {
    imei: words.imeiHint,
    tracker_clock: words.trackerClockHint,
    tracker_id: words.trackerIdHint,
    fuel_tank_capacity_l: words.tankHint,
  };
  const placeholders: Readonly<Partial<Record<TypedField, string>>> = {
    name: words.namePlaceholder,
    vehicle_type: words.kindPlaceholder,
  };
  return (
    <Field
      {...field}
      {...kinds[name]}
      label={label ?? usualLabel(words, show.volumeUnit)}
      name={name}
      maxLength={maxLength}
      autoComplete="off"
      placeholder={placeholders[name]}
      hint={hint ?? hints[name]}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
