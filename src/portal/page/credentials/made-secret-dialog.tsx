import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Dialog } from "../common/dialogs/dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useLeaveGuard } from "../common/navigation/leave-guard.ts";
import { useTexts } from "../texts/use-texts.ts";

interface MadeSecretProps {
  readonly title: string;
  readonly words: {
    readonly copyNow: string;
    readonly stored: string;
    readonly leaveQuestion: string;
    readonly leave: string;
  };
  readonly onClose: () => void;
  /** `onStored`: the secret is where it is needed, so nothing has to be confirmed. */
  readonly children: ReactNode | ((onStored: () => void) => ReactNode);
}

/** The only time that a secret is shown. It closes only when the user says that the secret is saved; leaving asks first. */
export function MadeSecretDialog({ title, words, onClose, children }: MadeSecretProps) {
  const { common } = useTexts();
  const [isStored, setStored] = useState(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const [isGivenUp, setGivenUp] = useState(false);
  const ask = useCallback((go: () => void) => setLeave(() => go), []);
  useLeaveGuard(!isStored && !isGivenUp, ask);
  // Only after the guard is off.
  useEffect(() => {
    if (isGivenUp) leave?.();
  }, [isGivenUp, leave]);
  return (
    <Dialog title={title} onClose={onClose} mustDecide wide>
      <div className="dialog-form">
        <Notice kind="warning">{words.copyNow}</Notice>
        {typeof children === "function" ? children(() => setStored(true)) : children}
        <label className="check">
          <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.target.checked)} />
          {words.stored}
        </label>
        {leave !== null && !isStored && (
          <LeaveQuestion words={words} onStay={() => setLeave(null)} onLeave={() => setGivenUp(true)} />
        )}
        <footer className="dialog-foot">
          <Button look="primary" text={common.done} disabled={!isStored} onClick={onClose} />
        </footer>
      </div>
    </Dialog>
  );
}

interface LeaveQuestionProps extends Pick<MadeSecretProps, "words"> {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveQuestion({ words, onStay, onLeave }: LeaveQuestionProps) {
  const { credentials } = useTexts();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Notice kind="error">
      <p>{words.leaveQuestion}</p>
      <div className="flex wrap gap-2">
        <Button look="small" text={credentials.stay} ref={stay} onClick={onStay} />
        <Button look="small danger" text={words.leave} onClick={onLeave} />
      </div>
    </Notice>
  );
}
