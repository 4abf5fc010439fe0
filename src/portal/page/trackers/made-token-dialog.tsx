import { useId, useState } from "react";
import { CopyButton } from "../common/copy-button.tsx";
import { Dialog } from "../common/dialog.tsx";
import { Notice } from "../common/notice.tsx";
import { UnsavedSecret } from "../common/unsaved-secret.tsx";
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
        <UnsavedSecret isStored={isStored} words={words} />
        <footer className="dialog-foot">
          <button type="button" className="button button-primary" disabled={!isStored} onClick={onClose}>
            {common.done}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
