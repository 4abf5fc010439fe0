import { type FormEvent, useEffect, useRef, useState } from "react";
import type { SessionAnswer } from "../../both-sides/contract/session.ts";
import { send, sendTwice } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button, LinkButton } from "../common/elements/button.tsx";
import { Field } from "../common/fields/field.tsx";
import { EmptyState, ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { useTitle } from "../common/navigation/page-head.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { OpenIdButton } from "./openid.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

interface SignInProps {
  /** Whether a session has just ended. */
  readonly isExpired: boolean;
  /** Why a sign-in elsewhere came to nothing, if it did. */
  readonly refusal: unknown;
  readonly onSignedIn: (session: SessionAnswer) => void;
}

/** If the server cannot be asked, signing in is all there is. */
function writtenEmail(form: HTMLFormElement | null): string {
  const field = form?.elements.namedItem("email");
  return field instanceof HTMLInputElement ? field.value : "";
}

export function SignInPage({ isExpired, refusal, onSignedIn }: SignInProps) {
  const { signIn: words, common, show } = useTexts();
  useTitle(words.title);
  const form = useRef<HTMLFormElement>(null);
  // What had the focus is gone, perhaps with a dialog, which would move the focus elsewhere first.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  // The form works without knowing what else there is.
  const offers = useAnswer("GET /sign-in").loaded.data;
  const [error, setError] = useState<unknown>(refusal);
  const [isBusy, setBusy] = useState(false);
  /** In how many seconds the page tries once more; null: it waits for no second try. */
  const [secondTryIn, setSecondTryIn] = useState<number | null>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    return () => left.abort();
  }, []);
  /** The e-mail of a person who has forgotten the password; null: none. */
  const [forgottenBy, setForgottenBy] = useState<string | null>(null);
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entered = new FormData(form);
    setBusy(true);
    setError(null);
    try {
      const { signal } = leaving.current;
      const credentials = { email: String(entered.get("email")), password: String(entered.get("password")) };
      const sendOnce = () => send("POST /session", credentials, signal);
      onSignedIn(await sendTwice(sendOnce, signal, setSecondTryIn));
    } catch (cause) {
      setSecondTryIn(null);
      setError(cause);
      setBusy(false);
      const password = form.elements.namedItem("password");
      if (password instanceof HTMLInputElement) {
        password.value = "";
        password.focus();
      }
    }
  };
  if (offers?.needs_setup) {
    return (
      <SignInFrame>
        <EmptyState icon="key" title={words.noAccount} isWholePage>
          {words.noAccountText}
        </EmptyState>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame>
      {forgottenBy !== null ? (
        <ForgotPassword email={forgottenBy} onBack={() => setForgottenBy(null)} />
      ) : (
        <>
          <h1>{words.title}</h1>
          <p className="quiet">{words.welcome}</p>
          {isExpired && error === null && <Notice kind="info">{words.signedOut}</Notice>}
          {error !== null && <ErrorNotice error={error} />}
          <div role="status">
            {secondTryIn !== null && <Notice kind="info">{words.secondTry(show.number(secondTryIn))}</Notice>}
          </div>
          <form ref={form} onSubmit={signIn}>
            <Field label={common.email} name="email" type="email" autoComplete="username" required />
            <Field label={words.password} name="password" type="password" autoComplete="current-password" required />
            <Button type="submit" look="primary wide" text={isBusy ? words.signingIn : words.title} isBusy={isBusy} />
          </form>
          {offers?.openid && <OpenIdButton name={offers.openid.name} onError={setError} />}
          {offers?.sends_mail === true && (
            <LinkButton onClick={() => setForgottenBy(writtenEmail(form.current))} text={words.forgot} />
          )}
          {offers?.sends_mail === false && <p className="hint">{words.askOwner}</p>}
        </>
      )}
    </SignInFrame>
  );
}

interface ForgotPasswordProps {
  readonly email: string;
  readonly onBack: () => void;
}

/** Asks for a link by mail. What the page says then is the same whether or not anybody has the address. */
function ForgotPassword({ email, onBack }: ForgotPasswordProps) {
  const { signIn: words, common, show } = useTexts();
  const { submit, error, isBusy } = useSubmit();
  const [isSent, setSent] = useState(false);
  const ask = (event: FormEvent<HTMLFormElement>) => {
    const entered = String(new FormData(event.currentTarget).get("email"));
    return submit(async () => {
      await send("POST /password/forgotten", { email: entered, language: show.language });
      setSent(true);
    }, event);
  };
  return (
    <>
      <h1>{words.forgotTitle}</h1>
      <p className="quiet">{words.forgotWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <div role="status">{isSent && <Notice kind="success">{words.sent}</Notice>}</div>
      {!isSent && (
        <form onSubmit={ask}>
          <Field
            label={common.email}
            name="email"
            type="email"
            autoComplete="username"
            // The button that had the focus is gone.
            autoFocus
            required
            maxLength={254}
            defaultValue={email}
          />
          <Button type="submit" look="primary wide" text={isBusy ? words.sending : words.sendLink} isBusy={isBusy} />
        </form>
      )}
      <LinkButton onClick={onBack} text={words.back} />
    </>
  );
}
