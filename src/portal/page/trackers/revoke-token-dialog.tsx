import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { useNow } from "../common/clock.ts";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { IngestToken } from "./token-records.ts";

interface RevokeTokenProps {
  readonly token: IngestToken;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Asks once, and says whether something still sends with it. */
export function RevokeTokenDialog({ token, onClose, onRevoked }: RevokeTokenProps) {
  const { trackers: words } = useAdministrationTexts();
  const show = useShow();
  const now = useNow(30_000);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await send("POST", `/fleet/tokens/${token.token_id}/revoke`);
      announce(words.revoked(token.name));
      onRevoked();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const ago = token.last_used_at === null ? null : show.age(now - Date.parse(token.last_used_at));
  return (
    <Dialog title={words.revokeTitle(token.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.revokeWhat(`${token.prefix}…`)}</p>
        {ago !== null && token.still_sends && <Notice kind="warning">{words.stillSends(ago)}</Notice>}
        {!token.still_sends && <p>{ago === null ? words.neverSent : words.lastSent(ago)}</p>}
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {words.keepIt}
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={revoke}>
            {isBusy ? words.revoking : words.revokeIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
