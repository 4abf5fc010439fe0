import { useEffect, useRef } from "react";
import type { Session } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { LoadingState } from "../common/empty-state.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface OpenIdReturnProps {
  readonly onSignedIn: (session: Session, next: string | null) => void;
  readonly onRefused: (error: unknown) => void;
}

/**
 * Where a provider sends people back to. The sign-in is finished from here, not by the provider's redirect itself: a browser
 * does not send our cookies with what another site began.
 */
export function OpenIdReturn({ onSignedIn, onRefused }: OpenIdReturnProps) {
  const { signIn: words } = useTexts();
  const hasBegun = useRef(false);
  useEffect(() => {
    // What the provider gave works once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const parameters = location.search.slice(1);
    send<{ session: Session; next: string | null }>("POST", "/openid/finish", { parameters }).then(
      ({ session, next }) => onSignedIn(session, next),
      onRefused,
    );
  }, [onSignedIn, onRefused]);
  return <LoadingState label={words.signingIn.replace(/…$/, "")} />;
}
