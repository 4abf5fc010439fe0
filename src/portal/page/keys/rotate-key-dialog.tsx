import { useState } from "react";
import type { ApiKey, MadeKey } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { Select } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";

interface RotateKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
  /** The list is out of date: the key was revoked or rotated elsewhere. */
  readonly onRefused: () => void;
}

const overlaps = [
  ["0", "At once"],
  ["1", "In 1 hour"],
  ["24", "In 24 hours"],
  ["72", "In 3 days"],
  ["168", "In 7 days"],
] as const;

export function RotateKeyDialog({ apiKey, onClose, onMade, onRefused }: RotateKeyProps) {
  const [hours, setHours] = useState("24");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const rotate = async () => {
    setBusy(true);
    try {
      onMade(await send<MadeKey>("POST", `/keys/${apiKey.key_id}/rotate`, { overlap_hours: Number(hours) }));
    } catch (cause) {
      setError(cause);
      if (cause instanceof PortalError && cause.status >= 400 && cause.status < 500) onRefused();
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>
          Makes a successor with the same name, scopes and limits. Until the old key ends, both of them work, so that
          your systems can change over without a gap.
        </p>
        <Select label="The old key ends" value={hours} onChange={setHours} options={overlaps} />
        <Notice kind="info">
          The new key is shown once, right after this. If you close the tab before you have copied it, you need a new
          key.
        </Notice>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button button-primary" disabled={isBusy} onClick={rotate}>
            {isBusy ? "Rotating…" : "Rotate the key"}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
