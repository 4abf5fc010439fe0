import { useId } from "react";
import { type PreferenceName, preferenceChoices } from "../../../domain/preferences.ts";
import type { BothPreferences } from "../../both-sides/contract/session.ts";
import { usualUnits } from "../../both-sides/reading/show.ts";
import { languages } from "../../both-sides/texts/texts.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Select } from "../common/fields/field.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

export function OwnReading() {
  const { account: words } = useTexts();
  return <ReadingForm whose="own" target="PUT /preferences" title={words.reading} what={words.readingWhat} />;
}

/** For the owner: what holds for everybody who has not chosen otherwise. */
export function AccountReading() {
  const { account: words } = useTexts();
  const target = "PUT /account/preferences";
  return <ReadingForm whose="account" target={target} title={words.readingForAll} what={words.readingForAllWhat} />;
}

interface ReadingFormProps {
  readonly whose: keyof BothPreferences;
  readonly target: "PUT /preferences" | "PUT /account/preferences";
  readonly title: string;
  readonly what: string;
}

/** Each choice is saved at once and shown at once. */
function ReadingForm({ whose, target, title, what }: ReadingFormProps) {
  const id = useId();
  const { account: words } = useTexts();
  const session = useSession();
  const replaceSession = useReplaceSession();
  const { submit, error } = useSubmit();
  const chosen = session.preferences[whose];
  const choose = async (name: PreferenceName, choice: string) => {
    const { data } = await send(target, { ...chosen, [name]: choice === "" ? null : choice });
    replaceSession({ ...session, preferences: data });
    announce(words.saved);
  };
  const labels: Readonly<Record<PreferenceName, string>> = {
    language: words.language,
    distance: words.distance,
    volume: words.volume,
    temperature: words.temperature,
    clock: words.clock,
    week_start: words.weekStart,
  };
  const texts: Readonly<Record<string, string>> = { ...languages, ...words.choices };
  const unchosen = (name: PreferenceName) => {
    if (whose === "own" && session.preferences.account[name] !== null) return words.asAccount;
    return name === "language" ? words.asBrowser : words.usual(texts[usualUnits[name]] ?? "");
  };
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="quiet">{what}</p>
      {error !== null && <ErrorNotice error={error} />}
      <div className="reading-choices grid align-end gap-3">
        {(Object.keys(preferenceChoices) as PreferenceName[]).map((name) => (
          <Select
            key={name}
            label={labels[name]}
            value={chosen[name] ?? ""}
            onChange={(choice) => submit(() => choose(name, choice))}
            options={[
              ["", unchosen(name)],
              ...preferenceChoices[name].map((choice) => [choice, texts[choice] ?? choice] as const),
            ]}
          />
        ))}
      </div>
    </section>
  );
}
