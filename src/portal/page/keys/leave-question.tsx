import { useEffect, useRef } from "react";
import { Notice } from "../common/notice.tsx";

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before leaving while a new key is shown that may not have been saved. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Notice kind="error">
      <p>Leave without the key? You have not said that it is stored, and it is not shown again.</p>
      <div className="notice-actions">
        <button ref={stay} type="button" className="button button-small" onClick={onStay}>
          Stay here
        </button>
        <button type="button" className="button button-small button-danger" onClick={onLeave}>
          Leave without it
        </button>
      </div>
    </Notice>
  );
}
