import { useCallback, useState } from "react";
import type { Session } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { useLoad } from "../common/use-load.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AccountForm } from "./account-form.tsx";

interface SetupProps {
  readonly onSignedIn: (session: Session) => void;
}

/** The page of the link that a server without an account prints when it starts. */
export default function SetupPage({ onSignedIn }: SetupProps) {
  return (
    <SignInFrame>
      <WithAdministrationTexts>
        <Setup onSignedIn={onSignedIn} />
      </WithAdministrationTexts>
    </SignInFrame>
  );
}

function Setup({ onSignedIn }: SetupProps) {
  const { setup: words, links } = useAdministrationTexts();
  // Behind the #, which no browser sends to a server.
  const [token] = useState(() => location.hash.slice(1));
  const { loaded, reload } = useLoad(useCallback(() => look(token), [token]));
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  if (loaded.data === null) return <LoadingState label={words.checking} />;
  if (!loaded.data.isOpen) {
    return (
      <EmptyState icon="key" title={words.useless} isWholePage>
        <p>{words.uselessText}</p>
        <Link to="/sign-in" className="button">
          {links.signIn}
        </Link>
      </EmptyState>
    );
  }
  return <AccountForm token={token} onSignedIn={onSignedIn} onUseless={reload} />;
}

async function look(token: string): Promise<{ readonly isOpen: boolean }> {
  try {
    await send("POST", "/setup/link", { token });
    return { isOpen: true };
  } catch (error) {
    if (error instanceof PortalError && error.status === 404) return { isOpen: false };
    throw error;
  }
}
