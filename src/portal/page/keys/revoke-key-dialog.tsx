import { useState } from "react";
import type { ApiKey } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeKeyDialog({ apiKey, onClose, onRevoked }: RevokeKeyProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await send("POST", `/keys/${apiKey.key_id}/revoke`);
      announce(`Key ${apiKey.name} revoked`);
      onRevoked();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>
          The key <code>{apiKey.prefix}…</code> stops working at once, for every system that uses it. This cannot be
          undone.
        </p>
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            Keep it
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={revoke}>
            {isBusy ? "Revoking…" : "Revoke the key"}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
