import { useEffect, useRef, useState } from "react";
import type { SessionAnswer } from "../../both-sides/contract/session.ts";
import { send } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { LoadingState } from "../common/loading/notice.tsx";
import { useRoute } from "../common/navigation/route.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface OpenIdButtonProps {
  readonly name: string;
  readonly onError: (error: unknown) => void;
}

/** Leads to the provider, which leads back to /openid. */
export function OpenIdButton({ name, onError }: OpenIdButtonProps) {
  const { signIn: words } = useTexts();
  const { query } = useRoute();
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    onError(null);
    try {
      const { address } = await send("POST /openid/begin", { next: query.get("then") });
      location.assign(address);
    } catch (cause) {
      onError(cause);
      setBusy(false);
    }
  };
  return (
    <>
      <p className="sign-in-or row gap-3 quiet">
        <span>{words.or}</span>
      </p>
      <Button look="wide" text={isBusy ? words.signingIn : words.with(name)} isBusy={isBusy} onClick={begin} />
    </>
  );
}

interface OpenIdReturnProps {
  readonly onSignedIn: (session: SessionAnswer, next: string | null) => void;
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
    send("POST /openid/finish", { parameters }).then(({ session, next }) => onSignedIn(session, next), onRefused);
  }, [onSignedIn, onRefused]);
  return <LoadingState label={words.signingIn.replace(/…$/, "")} />;
}
