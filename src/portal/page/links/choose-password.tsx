import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Session } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { fieldProblems } from "../common/error-words.ts";
import { NewPasswordFields } from "../common/new-password-fields.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** Whom a link is for. */
export interface OpenedLink {
  readonly purpose: "invitation" | "reset";
  readonly name: string;
  readonly email: string;
  readonly account_name: string;
  readonly expires_at: string;
}

interface ChoosePasswordProps {
  readonly token: string;
  readonly link: OpenedLink;
  readonly onSignedIn: (session: Session) => void;
  readonly onUseless: () => void;
}

export function ChoosePassword({ token, link, onSignedIn, onUseless }: ChoosePasswordProps) {
  const texts = useAdministrationTexts();
  const { links: words, show } = texts;
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<"idle" | "busy" | "different">("idle");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input[type=password]")?.focus(), []);
  const use = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    setError(null);
    if (entered.get("new_password") !== entered.get("repeated")) return setState("different");
    setState("busy");
    try {
      const new_password = entered.get("new_password");
      onSignedIn(await send<Session>("POST", "/link/use", { token, new_password }));
    } catch (cause) {
      setState("idle");
      if (cause instanceof PortalError && cause.status === 404) onUseless();
      else setError(cause);
    }
  };
  const problems = fieldProblems(error, texts);
  const isInvitation = link.purpose === "invitation";
  return (
    <>
      <h1>{isInvitation ? words.invitation : words.reset}</h1>
      <p className="quiet">{(isInvitation ? words.invitedTo : words.resetOf)(link.account_name)}</p>
      <p className="link-owner">
        <span className="quiet">{words.for}</span> <strong>{link.name}</strong>
        <span className="quiet">{link.email}</span>
      </p>
      {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
      <form ref={form} onSubmit={use}>
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        <NewPasswordFields name="new_password" problem={problems.new_password} isDifferent={state === "different"} />
        <button type="submit" className="button button-primary button-wide" disabled={state === "busy"}>
          {state === "busy" ? texts.common.saving : words.use}
        </button>
      </form>
      <p className="hint">{words.worksUntil(show.time(Date.parse(link.expires_at), "minute"))}</p>
    </>
  );
}
