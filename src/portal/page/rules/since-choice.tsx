import { dayAt, dayWindow, isDay } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** From when on a change holds: null is from now on. */
export interface Since {
  readonly day: string | null;
}

export const fromNow: Since = { day: null };

/** As the server takes it; undefined: from now on. */
export function validFromOf({ day }: Since, zone: string): string | undefined {
  return day === null || !isDay(day) ? undefined : new Date(dayWindow(day, zone).from).toISOString();
}

export function SinceChoice({ since, onChange }: { since: Since; onChange: (since: Since) => void }) {
  const { rules: words } = useAdministrationTexts();
  const { zone } = useShow();
  const today = dayAt(Date.now(), zone);
  return (
    <div className="field-row">
      <Select
        label={words.since}
        value={since.day === null ? "now" : "day"}
        onChange={(choice) => onChange({ day: choice === "now" ? null : today })}
        options={[
          ["now", words.fromNow],
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
          hint={words.startOfDay(zone)}
          onChange={({ target }) => onChange({ day: target.value })}
        />
      )}
    </div>
  );
}
