import { dayAt } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { validFromOf } from "./start.ts";

export function SinceChoice({ day, onChange }: { day: string | null; onChange: (day: string | null) => void }) {
  const { rules: words, fences, common, show } = useAdministrationTexts();
  const { zone } = show;
  const now = Date.now();
  const today = dayAt(now, zone);
  return (
    <div className="field-row">
      <Select
        label={words.since}
        value={day === null ? "now" : "day"}
        onChange={(choice) => onChange(choice === "now" ? null : today)}
        options={[
          ["now", fences.fromNow],
          ["day", words.fromDay],
        ]}
      />
      {day !== null && (
        <Field
          label={words.day}
          type="date"
          required
          max={today}
          value={day}
          hint={common.daysOfZone(zone)}
          problem={validFromOf(day, zone, now) === null ? words.noFuture : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
