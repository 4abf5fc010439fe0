import { useId, useState } from "react";
import { useClock, viewerZone } from "../common/clock.ts";
import { Field } from "../common/field.tsx";
import { dayOf } from "../playback/day.ts";
import { expiryChoices } from "./expiry.ts";

/** When the key expires. */
export function ExpiryChoice({ problem }: { readonly problem?: string | undefined }) {
  const id = useId();
  const isUtc = useClock() === "utc";
  const [choice, setChoice] = useState("365");
  return (
    <div className="field-row">
      <div className="field">
        <label htmlFor={id}>Expires</label>
        <select id={id} name="expiry" value={choice} onChange={(event) => setChoice(event.target.value)}>
          {expiryChoices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        {problem !== undefined && choice !== "date" && <p className="problem">{problem}</p>}
      </div>
      {choice === "date" && (
        <Field
          label="Last day"
          name="expiry_date"
          type="date"
          required
          min={dayOf(Date.now(), isUtc)}
          hint={`It works until the end of this day, ${isUtc ? "UTC" : `${viewerZone} time`}.`}
          problem={problem}
        />
      )}
    </div>
  );
}
