import { useState } from "react";
import { Field, Select } from "../common/fields/field.tsx";
import { localMomentIn, localText } from "../common/periods/local-moments.ts";
import { useTexts } from "../texts/use-texts.ts";

const hourMs = 3_600_000;
/** Hours from now on. */
const expiries = ["4", "24", "72", "168", "720", "time"] as const;
/** The server's clock may be a little behind. */
const marginMs = 60_000;
const maxMs = 720 * hourMs;

/** When the link ends. */
export function ExpiryFields({ problem }: { readonly problem?: string | undefined }) {
  const { shares: words, show } = useTexts();
  const { zone } = show;
  const [choice, setChoice] = useState<string>("24");
  const now = Date.now();
  return (
    <div className="field-row">
      <Select
        label={words.untilWhen}
        name="expiry"
        value={choice}
        onChange={setChoice}
        options={expiries.map((value) => [value, words.expiry[value]] as const)}
        problem={choice === "time" ? undefined : problem}
      />
      {choice === "time" && (
        <Field
          label={words.until}
          name="until"
          type="datetime-local"
          required
          min={localText(now, zone)}
          max={localText(now + maxMs - marginMs, zone)}
          hint={words.inZone(zone)}
          problem={problem}
        />
      )}
    </div>
  );
}

interface PeriodFieldsProps {
  readonly problems: Readonly<Record<string, string>>;
}

export function PeriodFields({ problems }: PeriodFieldsProps) {
  const { shares: words, show } = useTexts();
  const { zone } = show;
  const [now] = useState(Date.now);
  const sides = [
    ["from", words.from, now - 24 * hourMs],
    ["to", words.to, now],
  ] as const;
  return (
    <>
      <div className="field-row">
        {sides.map(([name, label, at]) => (
          <Field
            key={name}
            label={label}
            name={name}
            type="datetime-local"
            required
            defaultValue={localText(at, zone)}
            hint={words.inZone(zone)}
            problem={problems[name]}
          />
        ))}
      </div>
      <p className="hint">{words.periodWhat}</p>
    </>
  );
}

/** What was entered, as the server takes it. */
export function untilIn(form: HTMLFormElement, zone: string, now: number): string | null {
  const entered = new FormData(form);
  const choice = String(entered.get("expiry"));
  if (choice === "time") return instant(entered.get("until"), zone);
  return new Date(now + Math.min(Number(choice) * hourMs, maxMs - marginMs)).toISOString();
}

export function periodIn(form: HTMLFormElement, zone: string) {
  const entered = new FormData(form);
  return { from: instant(entered.get("from"), zone), to: instant(entered.get("to"), zone) };
}

function instant(text: FormDataEntryValue | null, zone: string): string | null {
  const at = localMomentIn(String(text ?? ""), zone);
  return at === null ? null : new Date(at).toISOString();
}
