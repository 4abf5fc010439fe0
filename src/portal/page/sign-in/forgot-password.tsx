import { type FormEvent, useState } from "react";
import { send } from "../api/request.ts";
import { Field } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface ForgotPasswordProps {
  /** What was written on the sign-in page. */
  readonly email: string;
  readonly onBack: () => void;
}

/** Asks for a link by mail. What the page says then is the same whether or not anybody has the address. */
export function ForgotPassword({ email, onBack }: ForgotPasswordProps) {
  const { signIn: words, common, show } = useTexts();
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle");
  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget).get("email");
    setState("busy");
    setError(null);
    try {
      await send("POST", "/password/forgotten", { email: entered, language: show.language });
      setState("sent");
    } catch (cause) {
      setError(cause);
      setState("idle");
    }
  };
  return (
    <>
      <h1>{words.forgotTitle}</h1>
      <p className="quiet">{words.forgotWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <div role="status">{state === "sent" && <Notice kind="success">{words.sent}</Notice>}</div>
      {state !== "sent" && (
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
          <button type="submit" className="button button-primary button-wide" disabled={state === "busy"}>
            {state === "busy" ? words.sending : words.sendLink}
          </button>
        </form>
      )}
      <button type="button" className="link-button" onClick={onBack}>
        {words.back}
      </button>
    </>
  );
}
