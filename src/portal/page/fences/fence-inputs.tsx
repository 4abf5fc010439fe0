import { useState } from "react";
import type { FenceDetails } from "../../both-sides/contract/fences.ts";
import { Field } from "../common/fields/field.tsx";
import { localMomentIn, localText } from "../common/periods/local-moments.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { FromWhen as Choice } from "./fence-fields.ts";
import { sizeWords, vehicleCountWords } from "./fence-words.ts";

interface ColourFieldProps {
  readonly colour: string | null;
  readonly onChange: (colour: string | null) => void;
}

const defaultColour = "#1e90ff";

/** The colour in which the fence is drawn; without one, it has that of the map. */
export function ColourField({ colour, onChange }: ColourFieldProps) {
  const { fences: words } = useAdministrationTexts();
  return (
    <div className="colour-field row apart gap-3">
      <label className="check">
        <input
          type="checkbox"
          checked={colour !== null}
          onChange={({ target }) => onChange(target.checked ? defaultColour : null)}
        />
        <span>{words.ownColour}</span>
      </label>
      {colour !== null && (
        <input
          type="color"
          aria-label={words.colour}
          value={inHex(colour)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}

/** The browser's input knows six digits only, a fleet file words as well. */
function inHex(colour: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return defaultColour;
  context.fillStyle = defaultColour;
  context.fillStyle = colour;
  return context.fillStyle;
}

interface FromWhenProps {
  readonly from: Choice;
  /** That it counts since then already, so that nothing would change. */
  readonly already: string | null;
  readonly onChange: (from: Choice) => void;
}

export function FromWhenInput({ from, already, onChange }: FromWhenProps) {
  const { fences: words, errors, show } = useAdministrationTexts();
  const { zone } = show;
  const [isFuture, setFuture] = useState(false);
  const choices: readonly (readonly [Choice["kind"], string])[] = [
    ["now", words.fromNow],
    ["moment", words.fromMoment],
    ["always", words.fromAlways],
  ];
  return (
    <fieldset className="column gap-3 pack">
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
          problem={isFuture ? errors.fields.valid_from : undefined}
          onChange={({ target }) => {
            const at = localMomentIn(target.value, zone);
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

/** What the fence was earlier. The past cannot be edited here: a new version from a moment on replaces it. */
export function FenceVersions({ fence }: { readonly fence: FenceDetails }) {
  const { fences: words, show } = useAdministrationTexts();
  if (fence.versions.length < 2) return null;
  const newest = fence.versions.at(-1);
  return (
    <details className="fence-versions">
      <summary>
        {words.versions} ({show.number(fence.versions.length)})
      </summary>
      <p className="hint">{words.versionsText}</p>
      <ol reversed>
        {fence.versions.toReversed().map((version) => (
          <li key={version.valid_from} className="grid fine listed">
            <span>
              {version.valid_from === null
                ? words.sinceBeginning
                : words.since(show.time(Date.parse(version.valid_from), "minute"))}
              {version === newest && ` · ${words.inForce}`}
            </span>
            <span className="quiet">
              {sizeWords(version, show, words)}; {vehicleCountWords(version.device_count, show, words)}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
