import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Session } from "../api/portal-records.ts";
import { getJson, send } from "../api/request.ts";
import { Field } from "../common/field.tsx";
import { Logo } from "../common/logo.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useTitle } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { useTexts } from "../texts/use-texts.ts";
import { ForgotPassword } from "./forgot-password.tsx";
import { Skyline } from "./skyline.tsx";

interface SignInProps {
  /** Whether a session has just ended. */
  readonly isExpired: boolean;
  readonly onSignedIn: (session: Session) => void;
}

/** What this server offers to somebody who is not signed in. If it cannot be asked, signing in is all there is. */
const loadOptions = (signal: AbortSignal) => getJson<{ readonly sends_mail: boolean }>("/sign-in", signal);

function writtenEmail(form: HTMLFormElement | null): string {
  const field = form?.elements.namedItem("email");
  return field instanceof HTMLInputElement ? field.value : "";
}

export function SignInPage({ isExpired, onSignedIn }: SignInProps) {
  const { signIn: words } = useTexts();
  useTitle(words.title);
  const form = useRef<HTMLFormElement>(null);
  // What had the focus is gone, perhaps with a dialog, which would move the focus elsewhere first.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  /** The e-mail of somebody who has forgotten the password; null: nobody has. */
  const [forgottenBy, setForgottenBy] = useState<string | null>(null);
  const { data: options } = useLoad(loadOptions).loaded;
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entered = new FormData(form);
    setBusy(true);
    setError(null);
    try {
      const credentials = { email: entered.get("email"), password: entered.get("password") };
      onSignedIn(await send<Session>("POST", "/session", credentials));
    } catch (cause) {
      setError(cause);
      setBusy(false);
      const password = form.elements.namedItem("password");
      if (password instanceof HTMLInputElement) {
        password.value = "";
        password.focus();
      }
    }
  };
  return (
    <main className="sign-in">
      <section className="sign-in-card">
        <p className="brand">
          <Logo />
          <span>Odograph</span>
        </p>
        {forgottenBy !== null ? (
          <ForgotPassword email={forgottenBy} onBack={() => setForgottenBy(null)} />
        ) : (
          <>
            <h1>{words.title}</h1>
            <p className="quiet">{words.welcome}</p>
            {isExpired && error === null && <Notice kind="info">{words.signedOut}</Notice>}
            {error !== null && <ErrorNotice error={error} />}
            <form ref={form} onSubmit={signIn}>
              <Field label={words.email} name="email" type="email" autoComplete="username" required />
              <Field label={words.password} name="password" type="password" autoComplete="current-password" required />
              <button type="submit" className="button button-primary button-wide" disabled={isBusy}>
                {isBusy ? words.signingIn : words.title}
              </button>
            </form>
            {options?.sends_mail === true && (
              <button type="button" className="link-button" onClick={() => setForgottenBy(writtenEmail(form.current))}>
                {words.forgot}
              </button>
            )}
            {options?.sends_mail === false && <p className="hint">{words.askOwner}</p>}
          </>
        )}
      </section>
      <Skyline />
    </main>
  );
}
