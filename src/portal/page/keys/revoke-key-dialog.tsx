import { useState } from "react";
import type { ApiKey } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose, onRevoked }: RevokeKeyProps) {
  const { keys: words } = useTexts();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await send("POST", `/keys/${apiKey.key_id}/revoke`);
      announce(words.revoked(apiKey.name));
      onRevoked();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.revokeTitle(apiKey.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.revokeWhat(`${apiKey.prefix}…`)}</p>
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
