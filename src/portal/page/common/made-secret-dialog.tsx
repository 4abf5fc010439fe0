import { type ReactNode, useState } from "react";
import { useTexts } from "../texts/use-texts.ts";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { UnsavedSecret } from "./unsaved-secret.tsx";

interface MadeSecretProps {
  readonly title: string;
  readonly words: {
    readonly copyNow: string;
    readonly stored: string;
    readonly leaveQuestion: string;
    readonly stay: string;
    readonly leave: string;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The only time that a secret is shown. It closes only when the user says that the secret is saved. */
export function MadeSecretDialog({ title, words, onClose, children }: MadeSecretProps) {
  const { common } = useTexts();
  const [isStored, setStored] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} mustDecide wide>
      <div className="dialog-form">
        <Notice kind="warning">{words.copyNow}</Notice>
        {children}
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
