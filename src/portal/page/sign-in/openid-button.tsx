import { useState } from "react";
import { send } from "../api/request.ts";
import { useRoute } from "../common/route.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface OpenIdButtonProps {
  /** What the provider is called. */
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
      const { address } = await send<{ address: string }>("POST", "/openid/begin", { next: query.get("then") });
      location.assign(address);
    } catch (cause) {
      onError(cause);
      setBusy(false);
    }
  };
  return (
    <>
      <p className="sign-in-or">
        <span>{words.or}</span>
      </p>
      <button type="button" className="button button-wide" disabled={isBusy} onClick={begin}>
        {isBusy ? words.signingIn : words.with(name)}
      </button>
    </>
  );
}
