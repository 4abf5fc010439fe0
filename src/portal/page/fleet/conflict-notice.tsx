import type { ReactNode } from "react";
import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { conflictSentence, type ShownFields } from "./conflict-words.ts";
import type { Conflict } from "./use-edit.ts";

interface ConflictNoticeProps extends ShownFields {
  readonly conflict: Conflict;
  readonly onKeepMine: (revision: number) => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody else was faster: what they changed, and the choice whose version stays. */
export function ConflictNotice({ conflict, onKeepMine, onTakeTheirs, ...fields }: ConflictNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  const sentence = conflictSentence(conflict, fields, words);
  return (
    <Notice kind="warning">
      <p>
        <strong>{words.conflict}.</strong> {sentence} {sentence !== "" && words.nothingLost}
      </p>
      <p className="button-row">
        <button type="button" className="button button-small" onClick={onTakeTheirs}>
          {words.takeTheirs}
        </button>
        <button type="button" className="button button-small" onClick={() => onKeepMine(conflict.revision)}>
          {words.keepMine}
        </button>
      </p>
    </Notice>
  );
}

interface ChangedNoticeProps extends ShownFields {
  readonly conflict: Conflict;
  readonly children?: ReactNode;
}

/** The same before something is done to the record as a whole: whoever knows what changed may go on. */
export function ChangedNotice({ conflict, children, ...fields }: ChangedNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  return (
    <Notice kind="warning">
      <p role="alert">
        <strong>{words.conflict}.</strong> {conflictSentence(conflict, fields, words)}
      </p>
      {children}
    </Notice>
  );
}
