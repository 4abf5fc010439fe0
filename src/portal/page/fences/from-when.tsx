import { useState } from "react";
import { Field } from "../common/field.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { FromWhen as Choice } from "./fence-fields.ts";
import { localText, momentIn } from "./zoned-moment.ts";

interface FromWhenProps {
  readonly from: Choice;
  /** That it counts since then already, so that nothing would change. */
  readonly already: string | null;
  readonly onChange: (from: Choice) => void;
}

/** From when shape and vehicles count. */
export function FromWhen({ from, already, onChange }: FromWhenProps) {
  const { fences: words } = useAdministrationTexts();
  const { zone } = useShow();
  const [isFuture, setFuture] = useState(false);
  const choices: readonly (readonly [Choice["kind"], string])[] = [
    ["now", words.fromNow],
    ["moment", words.fromMoment],
    ["always", words.fromAlways],
  ];
  return (
    <fieldset className="from-when">
      <legend>{words.counts}</legend>
      {choices.map(([kind, text]) => (
        <label key={kind} className="check">
          <input
            type="radio"
            name="from-when"
            checked={from.kind === kind}
            onChange={() => {
              setFuture(false);
              onChange(kind === "moment" ? { kind, at: null } : { kind });
            }}
          />
          <span>{text}</span>
        </label>
      ))}
      {from.kind === "moment" && (
        <Field
          type="datetime-local"
          label={`${words.moment} (${zone})`}
          max={localText(Date.now(), zone)}
          defaultValue={from.at === null ? "" : localText(from.at, zone)}
          hint={isFuture ? undefined : from.at === null ? words.momentMissing : (already ?? words.fromHint)}
          problem={isFuture ? words.noFuture : undefined}
          onChange={({ target }) => {
            const at = momentIn(target.value, zone);
            const isToCome = at !== null && at > Date.now();
            setFuture(isToCome);
            onChange({ kind: "moment", at: isToCome ? null : at });
          }}
        />
      )}
      {from.kind === "always" && <p className="hint">{already ?? words.alwaysHint}</p>}
    </fieldset>
  );
}
