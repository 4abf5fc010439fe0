import { useId, useState } from "react";
import { Field } from "../common/field.tsx";

const dayMs = 86_400_000;

const choices = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In one year"],
  ["date", "On a date…"],
  ["never", "Never"],
] as const;

/** When the key ends by itself. */
export function ExpiryChoice({ problem }: { readonly problem?: string | undefined }) {
  const id = useId();
  const [choice, setChoice] = useState("365");
  const tomorrow = new Date(Date.now() + dayMs).toISOString().slice(0, 10);
  return (
    <div className="field-row">
      <div className="field">
        <label htmlFor={id}>Expires</label>
        <select id={id} name="expiry" value={choice} onChange={(event) => setChoice(event.target.value)}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        {problem !== undefined && choice !== "date" && <p className="problem">{problem}</p>}
      </div>
      {choice === "date" && (
        <Field label="Last day" name="expiry_date" type="date" required min={tomorrow} problem={problem} />
      )}
    </div>
  );
}

/** The moment that was chosen; a date means its end, by the viewer's clock. */
export function expiryOf(entered: FormData): string | null {
  const choice = String(entered.get("expiry"));
  if (choice === "never") return null;
  if (choice !== "date") return new Date(Date.now() + Number(choice) * dayMs).toISOString();
  const [year = 0, month = 1, day = 1] = String(entered.get("expiry_date")).split("-").map(Number);
  return new Date(year, month - 1, day + 1).toISOString();
}
