import { useState } from "react";
import { allScopes, type Scope } from "../../../domain/scopes.ts";
import type { MadeKey } from "../../both-sides/contract/keys.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { send } from "../api/request.ts";
import { Field, Select } from "../common/fields/field.tsx";
import { useSession } from "../common/session.ts";
import { CreateDialog, type CreateProps } from "../credentials/create-dialog.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { expiryChoices, expiryOf } from "./expiry.ts";

export function CreateKeyDialog(then: CreateProps<MadeKey>) {
  const { keys: words, errors, show } = useTexts();
  const { per_second, per_day, account_per_day } = useSession().account.limits;
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [lacksScopes, setLacksScopes] = useState(false);
  const creationOf = (name: string, form: HTMLFormElement) => {
    setLacksScopes(scopes.length === 0);
    if (scopes.length === 0) {
      form.querySelector<HTMLElement>("[name=scope]")?.focus();
      return null;
    }
    const entered = new FormData(form);
    const key = {
      name,
      scopes,
      expires_at: expiryOf(String(entered.get("expiry")), String(entered.get("expiry_date")), show.zone, Date.now()),
      per_second: numberOf(entered.get("per_second")),
      per_day: numberOf(entered.get("per_day")),
    };
    return () => send("POST /keys", key);
  };
  const limits = [
    ["per_second", words.perSecond, per_second],
    ["per_day", words.perDay, Math.min(per_day, account_per_day ?? per_day)],
  ] as const;
  return (
    <CreateDialog
      {...then}
      words={words}
      wide
      creationOf={creationOf}
      fields={(problems) => (
        <>
          <ScopeChoice
            chosen={scopes}
            onChange={setScopes}
            problem={lacksScopes && scopes.length === 0 ? errors.fields.scopes : problems.scopes}
          />
          <ExpiryChoice problem={problems.expires_at} />
          <div className="field-row">
            {limits.map(([name, label, max]) => (
              <Field
                key={name}
                label={label}
                name={name}
                type="number"
                min={1}
                max={max}
                placeholder={show.number(max)}
                hint={words.upTo(show.number(max))}
                problem={problems[name]}
              />
            ))}
          </div>
        </>
      )}
    />
  );
}

function numberOf(entered: FormDataEntryValue | null): number | null {
  return entered === null || entered === "" ? null : Number(entered);
}

function ExpiryChoice({ problem }: { readonly problem?: string | undefined }) {
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

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly problem?: string | undefined;
}

/** The scopes of the key, with what each grants. None is chosen in advance: a key should have only what it needs. */
function ScopeChoice({ chosen, onChange, problem }: ScopeChoiceProps) {
  const { keys: words } = useTexts();
  const isAll = chosen.length === allScopes.length;
  const toggle = (scope: Scope, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  return (
    <fieldset className="scopes anchor">
      <legend>{words.whatItReads}</legend>
      <button type="button" className="link-button scopes-all" onClick={() => onChange(isAll ? [] : allScopes)}>
        {isAll ? words.chooseNone : words.chooseAll}
      </button>
      <div className="scope-grid grid gap-2">
        {allScopes.map((scope) => (
          <label key={scope} className="scope flex gap-3 box">
            <input
              type="checkbox"
              name="scope"
              value={scope}
              checked={chosen.includes(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
            <span>
              <code>{scope}</code>
              <small className="quiet fine">{words.scopeWords[scope]}</small>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
