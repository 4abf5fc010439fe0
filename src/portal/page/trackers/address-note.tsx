import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { IngestAddress } from "./token-records.ts";

/** Where trackers send to, and what may be wrong with it. */
export function AddressNote({ address: { url, is_guess, is_loopback } }: { readonly address: IngestAddress }) {
  const { trackers: words } = useAdministrationTexts();
  const isPlain = !is_loopback && url.startsWith("http:");
  return (
    <>
      <p>
        {words.sendTo} <code className="tracker-address">{url}</code>
      </p>
      {(is_guess || is_loopback || isPlain) && (
        <Notice kind="warning">
          {is_guess && <p>{words.guess}</p>}
          {is_loopback && <p>{words.loopback}</p>}
          {isPlain && <p>{words.plain}</p>}
        </Notice>
      )}
    </>
  );
}
