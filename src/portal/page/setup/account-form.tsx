import { type FormEvent, useState } from "react";
import type { Session } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { fieldProblems } from "../common/error-words.ts";
import { Field, Select } from "../common/field.tsx";
import { NewPasswordFields } from "../common/new-password-fields.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { browserZone, zoneOptions } from "../common/time-zones.ts";
import { useTitle } from "../common/use-heading.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface AccountFormProps {
  readonly token: string;
  readonly onSignedIn: (session: Session) => void;
  /** Somebody else has used a link in the meantime. */
  readonly onUseless: () => void;
}

/** The account and its owner. */
export function AccountForm({ token, onSignedIn, onUseless }: AccountFormProps) {
  const texts = useAdministrationTexts();
  const { account, common, signIn, setup: words } = texts;
  useTitle(words.title);
  const [zone, setZone] = useState(browserZone);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<"idle" | "busy" | "different">("idle");
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { repeated, ...entered } = Object.fromEntries(new FormData(event.currentTarget));
    setError(null);
    if (entered.password !== repeated) return setState("different");
    setState("busy");
    try {
      onSignedIn(await send<Session>("POST", "/setup", { ...entered, time_zone: zone, token }));
    } catch (cause) {
      if (cause instanceof PortalError && cause.status === 404) return onUseless();
      setError(cause);
      setState("idle");
    }
  };
  const problems = fieldProblems(error, texts);
  return (
    <>
      <h1>{words.title}</h1>
      <p className="quiet">{words.welcome}</p>
      {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
      <form onSubmit={create} className="setup-form">
        <fieldset>
          <legend>{account.title}</legend>
          <Field
            label={account.accountName}
            name="account_name"
            required
            maxLength={200}
            autoComplete="organization"
            hint={words.accountHint}
            problem={problems.account_name}
          />
          <div className="setup-zone">
            <Select label={account.zone} value={zone} onChange={setZone} options={zoneOptions(browserZone)} />
            <p className={problems.time_zone === undefined ? "hint" : "problem"}>
              {problems.time_zone ?? words.zoneHint}
            </p>
          </div>
        </fieldset>
        <fieldset>
          <legend>{words.you}</legend>
          <Field label={words.name} name="name" required maxLength={200} autoComplete="name" problem={problems.name} />
          <Field
            label={common.email}
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="username"
            problem={problems.email}
          />
          <NewPasswordFields
            name="password"
            labels={[signIn.password, words.passwordAgain]}
            problem={problems.password}
            isDifferent={state === "different"}
          />
        </fieldset>
        <button type="submit" className="button button-primary button-wide" disabled={state === "busy"}>
          {state === "busy" ? words.creating : words.create}
        </button>
      </form>
    </>
  );
}
