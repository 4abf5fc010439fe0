import { useCallback, useEffect, useState } from "react";
import type { Session } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { useTitle } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ChoosePassword, type OpenedLink } from "./choose-password.tsx";

interface LinkPageProps {
  readonly onSignedIn: (session: Session) => void;
}

/** What a one-time link opens: whom it is for, and a form with the new password. */
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
  const look = useCallback(async () => (await send<{ data: OpenedLink }>("POST", "/link", { token })).data, [token]);
  const { loaded, reload } = useLoad(look);
  const [isUseless, setUseless] = useState(false);
  useTitle(words.title);
  if (isUseless || (loaded.state === "failed" && isRefused(loaded.error))) return <UselessLink />;
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  if (loaded.data === null) return <LoadingState />;
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
