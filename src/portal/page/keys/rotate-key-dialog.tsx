import { useState } from "react";
import type { ApiKey, MadeKey } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { Select } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface RotateKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
  /** The list is out of date: the key was revoked or rotated elsewhere. */
  readonly onRefused: () => void;
}

/** Hours for which both keys work. */
const overlaps = ["0", "1", "24", "72", "168"] as const;

export function RotateKeyDialog({ apiKey, onClose, onMade, onRefused }: RotateKeyProps) {
  const { keys: words, common } = useTexts();
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
    <Dialog title={words.rotateTitle(apiKey.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.rotateWhat}</p>
        <Select
          label={words.oldEnds}
          value={hours}
          onChange={setHours}
          options={overlaps.map((choice) => [choice, words.overlap[choice]] as const)}
        />
        <Notice kind="info">{words.shownOnce}</Notice>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="button" className="button button-primary" disabled={isBusy} onClick={rotate}>
            {isBusy ? words.rotating : words.rotateIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
