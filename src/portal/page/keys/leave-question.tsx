import { useEffect, useRef } from "react";
import { Notice } from "../common/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before leaving while a new key is shown that may not have been saved. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const { keys: words } = useTexts();
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
