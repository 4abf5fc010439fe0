import { useId, useState } from "react";
import { dayAt } from "../common/days.ts";
import { Field } from "../common/field.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { expiryChoices } from "./expiry.ts";

/** When the key expires. */
export function ExpiryChoice({ problem }: { readonly problem?: string | undefined }) {
  const id = useId();
  const { keys: words } = useTexts();
  const { zone } = useShow();
  const [choice, setChoice] = useState("365");
  return (
    <div className="field-row">
      <div className="field">
        <label htmlFor={id}>{words.expires}</label>
        <select id={id} name="expiry" value={choice} onChange={(event) => setChoice(event.target.value)}>
          {expiryChoices.map((value) => (
            <option key={value} value={value}>
              {words.expiry[value]}
            </option>
          ))}
        </select>
        {problem !== undefined && choice !== "date" && <p className="problem">{problem}</p>}
      </div>
      {choice === "date" && (
        <Field
          label={words.lastDay}
          name="expiry_date"
          type="date"
          required
          min={dayAt(Date.now(), zone)}
          hint={words.untilEndOfDay(zone)}
          problem={problem}
        />
      )}
    </div>
  );
}
