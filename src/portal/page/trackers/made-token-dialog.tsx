import { useCallback, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "../common/copy-button.tsx";
import { Dialog } from "../common/dialog.tsx";
import { useLeaveGuard } from "../common/leave-guard.ts";
import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AddressNote } from "./address-note.tsx";
import type { MadeToken } from "./token-records.ts";
import { VehicleLines } from "./vehicle-lines.tsx";

interface MadeTokenProps {
  readonly made: MadeToken;
  readonly onClose: () => void;
}

/** The only time that the token is shown. It closes only when the user says that the token is saved. */
export function MadeTokenDialog({ made, onClose }: MadeTokenProps) {
  const { common } = useTexts();
  const { trackers: words } = useAdministrationTexts();
  const [isStored, setStored] = useState(false);
  const id = useId();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const [isGivenUp, setGivenUp] = useState(false);
  const ask = useCallback((go: () => void) => setLeave(() => go), []);
  useLeaveGuard(!isStored && !isGivenUp, ask);
  // Only after the guard is off.
  useEffect(() => {
    if (isGivenUp) leave?.();
  }, [isGivenUp, leave]);
  return (
    <Dialog title={words.ready(made.data.name)} onClose={onClose} mustDecide wide>
      <div className="dialog-form">
        <Notice kind="warning">{words.copyNow}</Notice>
        <div>
          <h3>{words.token}</h3>
          <div className="secret">
            <code id={`${id}-token`} data-testid="made-token">
              {made.token}
            </code>
            <CopyButton text={made.token} what={words.token} selects={`${id}-token`} />
          </div>
        </div>
        <AddressNote address={made.ingest} />
        <VehicleLines address={made.ingest} token={made.token} />
        <label className="check">
          <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.target.checked)} />
          {words.stored}
        </label>
        {leave !== null && !isStored && (
          <LeaveQuestion onStay={() => setLeave(null)} onLeave={() => setGivenUp(true)} />
        )}
        <footer className="dialog-foot">
          <button type="button" className="button button-primary" disabled={!isStored} onClick={onClose}>
            {common.done}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

/** Asks before leaving while a new token is shown that may not have been saved. */
function LeaveQuestion({ onStay, onLeave }: { readonly onStay: () => void; readonly onLeave: () => void }) {
  const { trackers: words } = useAdministrationTexts();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Notice kind="error">
      <p>{words.leaveQuestion}</p>
      <div className="notice-actions">
        <button ref={stay} type="button" className="button button-small" onClick={onStay}>
          {words.stay}
        </button>
        <button type="button" className="button button-small button-danger" onClick={onLeave}>
          {words.leave}
        </button>
      </div>
    </Notice>
  );
}
