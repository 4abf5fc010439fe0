import { useCallback, useEffect, useRef, useState } from "react";
import { useLeaveGuard } from "./leave-guard.ts";
import { Notice } from "./notice.tsx";

interface UnsavedSecretProps {
  /** Whether the person says that it is saved. */
  readonly isStored: boolean;
  readonly words: { readonly leaveQuestion: string; readonly stay: string; readonly leave: string };
}

/** Asks before leaving while a secret is shown, for the only time, that may not have been saved. */
export function UnsavedSecret({ isStored, words }: UnsavedSecretProps) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const [isGivenUp, setGivenUp] = useState(false);
  const ask = useCallback((go: () => void) => setLeave(() => go), []);
  useLeaveGuard(!isStored && !isGivenUp, ask);
  // Only after the guard is off.
  useEffect(() => {
    if (isGivenUp) leave?.();
  }, [isGivenUp, leave]);
  if (leave === null || isStored) return null;
  return <Question words={words} onStay={() => setLeave(null)} onLeave={() => setGivenUp(true)} />;
}

interface QuestionProps extends Pick<UnsavedSecretProps, "words"> {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function Question({ words, onStay, onLeave }: QuestionProps) {
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
