import { useId, useState } from "react";
import type { MadeKey } from "../api/portal-records.ts";
import { CopyButton } from "../common/copy-button.tsx";
import { Dialog } from "../common/dialog.tsx";
import { Notice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { UnsavedSecret } from "../common/unsaved-secret.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { curlLine } from "./curl-line.ts";

interface MadeKeyProps {
  readonly made: MadeKey;
  readonly onClose: () => void;
}

/** The only time that the key is shown. It closes only when the user says that the key is saved. */
export function MadeKeyDialog({ made, onClose }: MadeKeyProps) {
  const { keys: words, common } = useTexts();
  const { base_url } = useSession();
  const [isStored, setStored] = useState(false);
  const id = useId();
  const curl = curlLine(base_url, made.key, made.data.scopes);
  return (
    <Dialog title={words.ready(made.data.name)} onClose={onClose} mustDecide wide>
      <div className="dialog-form">
        <Notice kind="warning">{words.copyNow}</Notice>
        <div>
          <h3 id={`${id}-key-label`}>{words.key}</h3>
          <div className="secret">
            <code id={`${id}-key`} data-testid="made-key">
              {made.key}
            </code>
            <CopyButton text={made.key} what={words.key} selects={`${id}-key`} />
          </div>
        </div>
        <div>
          <h3>{words.tryIt}</h3>
          <div className="secret">
            <code id={`${id}-curl`} data-testid="curl-line">
              {curl}
            </code>
            <CopyButton text={curl} what={words.curlLine} selects={`${id}-curl`} />
          </div>
        </div>
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
