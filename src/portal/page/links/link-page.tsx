import { useCallback, useEffect, useRef, useState } from "react";
import type { OpenedLink, SessionAnswer } from "../../both-sides/contract/session.ts";
import { PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { NewPasswordFields, useNewPassword } from "../common/fields/new-password-fields.tsx";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useTitle } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface LinkPageProps {
  readonly onSignedIn: (session: SessionAnswer) => void;
}

/** What a one-time link opens: whom it is for, and what to do with it. */
export default function LinkPage({ onSignedIn }: LinkPageProps) {
  return (
    <SignInFrame>
      <WithAdministrationTexts>
        <LinkCard token={useToken()} onSignedIn={onSignedIn} />
      </WithAdministrationTexts>
    </SignInFrame>
  );
}

/** The part of the address that a browser never sends. Another link may be opened in the same tab. */
function useToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = () => setToken(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return token;
}

function LinkCard({ token, onSignedIn }: LinkPageProps & { readonly token: string }) {
  const { links: words } = useAdministrationTexts();
  const look = useCallback(async () => (await send("POST /link", { token })).data, [token]);
  const { loaded, reload } = useLoad(look);
  const [isUseless, setUseless] = useState(false);
  useTitle(words.title);
  if (isUseless || (loaded.state === "failed" && isRefused(loaded.error))) return <UselessLink />;
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  if (loaded.data === null) return <LoadingState />;
  if (loaded.data.purpose === "confirmation") {
    return <ConfirmAddress token={token} link={loaded.data} onUseless={() => setUseless(true)} />;
  }
  return <ChoosePassword token={token} link={loaded.data} onSignedIn={onSignedIn} onUseless={() => setUseless(true)} />;
}

function isRefused(error: unknown): boolean {
  return error instanceof PortalError && (error.status === 404 || error.status === 400);
}

/** The same whatever the cause, with what to do. */
function UselessLink() {
  const { links: words } = useAdministrationTexts();
  return (
    <>
      <h1>{words.useless}</h1>
      <p>{words.uselessWhy}</p>
      <p>{words.uselessWhat}</p>
      <Link to="/sign-in" className="button">
        {words.signIn}
      </Link>
    </>
  );
}

interface OpenedLinkProps {
  readonly token: string;
  readonly link: OpenedLink;
  readonly onUseless: () => void;
}

/** It asks first: programs that look for viruses open links, too. */
function ConfirmAddress({ token, link, onUseless }: OpenedLinkProps) {
  const { links: words, show } = useAdministrationTexts();
  const [isDone, setDone] = useState(false);
  const { submit, error, isBusy } = useSubmit();
  const confirm = async () => {
    try {
      await send("POST /link/confirm", { token });
      setDone(true);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      onUseless();
    }
  };
  if (isDone) {
    return (
      <div role="status" className="stack">
        <h1>{words.confirmed}</h1>
        <p>{words.confirmedWhat}</p>
        <a className="button" href="/portal">
          {words.openPortal}
        </a>
      </div>
    );
  }
  return (
    <>
      <h1>{words.confirm}</h1>
      <p>{words.confirmWhat(link.account_name)}</p>
      <p className="link-owner grid break">
        <strong>{link.email}</strong>
      </p>
      {error !== null && <ErrorNotice error={error} />}
      <Button
        look="primary wide"
        text={isBusy ? words.confirming : words.doConfirm}
        isBusy={isBusy}
        onClick={() => submit(confirm)}
      />
      <p className="hint">{words.confirmUntil(show.time(Date.parse(link.expires_at), "minute"))}</p>
    </>
  );
}

interface ChoosePasswordProps extends OpenedLinkProps {
  readonly onSignedIn: (session: SessionAnswer) => void;
}

function ChoosePassword({ token, link, onSignedIn, onUseless }: ChoosePasswordProps) {
  const { links: words, common, show } = useAdministrationTexts();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input[type=password]")?.focus(), []);
  const { onSubmit, isBusy, isDifferent, problems, otherError } = useNewPassword(
    "new_password",
    async ({ new_password = "" }) => {
      try {
        onSignedIn(await send("POST /link/use", { token, new_password }));
      } catch (cause) {
        if (!(cause instanceof PortalError && cause.status === 404)) throw cause;
        onUseless();
      }
    },
  );
  const isInvitation = link.purpose === "invitation";
  return (
    <>
      <h1>{isInvitation ? words.invitation : words.reset}</h1>
      <p className="quiet">{(isInvitation ? words.invitedTo : words.resetOf)(link.account_name)}</p>
      <p className="link-owner grid break">
        <span className="quiet">{words.for}</span> <strong>{link.name}</strong>
        <span className="quiet">{link.email}</span>
      </p>
      {otherError !== null && <ErrorNotice error={otherError} />}
      <form ref={form} onSubmit={onSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        <NewPasswordFields name="new_password" problem={problems.new_password} isDifferent={isDifferent} />
        <Button type="submit" look="primary wide" text={isBusy ? common.saving : words.use} isBusy={isBusy} />
      </form>
      <p className="hint">{words.worksUntil(show.time(Date.parse(link.expires_at), "minute"))}</p>
    </>
  );
}
