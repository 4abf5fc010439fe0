import { dayAt } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type Since, validFromOf } from "./since.ts";

export function SinceChoice({ since, onChange }: { since: Since; onChange: (since: Since) => void }) {
  const { common } = useTexts();
  const { rules: words, fences } = useAdministrationTexts();
  const { zone } = useShow();
  const now = Date.now();
  const today = dayAt(now, zone);
  return (
    <div className="field-row">
      <Select
        label={words.since}
        value={since.day === null ? "now" : "day"}
        onChange={(choice) => onChange({ day: choice === "now" ? null : today })}
        options={[
          ["now", fences.fromNow],
          ["day", words.fromDay],
        ]}
      />
      {since.day !== null && (
        <Field
          label={words.day}
          type="date"
          required
          max={today}
          value={since.day}
          hint={common.daysOfZone(zone)}
          problem={validFromOf(since, zone, now) === null ? words.noFuture : undefined}
          onChange={({ target }) => onChange({ day: target.value })}
        />
      )}
    </div>
  );
}
