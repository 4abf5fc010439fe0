import { useState } from "react";
import { dayAt } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { expiryChoices } from "./expiry.ts";

/** When the key expires. */
export function ExpiryChoice({ problem }: { readonly problem?: string | undefined }) {
  const { keys: words, show } = useTexts();
  const { zone } = show;
  const [choice, setChoice] = useState("365");
  return (
    <div className="field-row">
      <Select
        label={words.expires}
        name="expiry"
        value={choice}
        onChange={setChoice}
        options={expiryChoices.map((value) => [value, words.expiry[value]] as const)}
        problem={choice === "date" ? undefined : problem}
      />
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
