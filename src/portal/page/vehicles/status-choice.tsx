import { useId } from "react";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type VehicleStatus, vehicleStatuses } from "./vehicle-records.ts";

interface StatusChoiceProps {
  readonly value: VehicleStatus | null;
  readonly onChange: (status: VehicleStatus) => void;
}

/** Each status, and what it means. */
export function StatusChoice({ value, onChange }: StatusChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  const name = useId();
  return (
    <fieldset className="form-part">
      <legend>{words.statusColumn}</legend>
      <div className="choice-list">
        {vehicleStatuses.map((status) => (
          <label key={status} className="choice">
            <input type="radio" name={name} checked={value === status} onChange={() => onChange(status)} />
            <span>
              <strong>{words.status[status]}</strong>
              <small>{words.statusWhat[status]}</small>
            </span>
          </label>
        ))}
      </div>
      <p className="hint">{words.statusHint}</p>
    </fieldset>
  );
}
