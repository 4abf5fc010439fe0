import { useState } from "react";
import type { Scope } from "../../../domain/scopes.ts";
import type { MadeKey } from "../api/portal-records.ts";
import { Field } from "../common/field.tsx";
import { useSession } from "../common/session.ts";
import { CreateDialog, type CreateProps } from "../credentials/create-dialog.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { expiryOf } from "./expiry.ts";
import { ExpiryChoice } from "./expiry-choice.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

export function CreateKeyDialog(then: CreateProps<MadeKey>) {
  const { keys: words, errors, show } = useTexts();
  const { per_second, per_day, account_per_day } = useSession().account.limits;
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [lacksScopes, setLacksScopes] = useState(false);
  const bodyOf = (form: HTMLFormElement) => {
    setLacksScopes(scopes.length === 0);
    if (scopes.length === 0) {
      form.querySelector<HTMLElement>("[name=scope]")?.focus();
      return null;
    }
    const entered = new FormData(form);
    return {
      scopes,
      expires_at: expiryOf(String(entered.get("expiry")), String(entered.get("expiry_date")), show.zone, Date.now()),
      per_second: numberOf(entered.get("per_second")),
      per_day: numberOf(entered.get("per_day")),
    };
  };
  const limits = [
    ["per_second", words.perSecond, per_second],
    ["per_day", words.perDay, Math.min(per_day, account_per_day ?? per_day)],
  ] as const;
  return (
    <CreateDialog
      {...then}
      words={words}
      path="/keys"
      wide
      bodyOf={bodyOf}
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
