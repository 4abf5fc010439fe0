import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { Conflict } from "./use-edit.ts";

interface ConflictNoticeProps {
  readonly conflict: Conflict;
  /** The record as the person opened it, by the same names of fields. */
  readonly opened: Readonly<Record<string, unknown>>;
  /** What a field is called in the form; one without a name is not told. */
  readonly fieldName: (field: string) => string | undefined;
  readonly onKeepMine: (revision: number) => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody else was faster: what they changed, and the choice whose version stays. */
export function ConflictNotice({ conflict, opened, fieldName, onKeepMine, onTakeTheirs }: ConflictNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  const names = new Set([...Object.keys(conflict.current), ...Object.keys(opened)]);
  const changed = [...names]
    .filter((name) => JSON.stringify(conflict.current[name]) !== JSON.stringify(opened[name]))
    .flatMap((name) => fieldName(name) ?? []);
  return (
    <Notice kind="warning">
      <p>
        <strong>{words.conflict}.</strong> {changed.length > 0 && words.conflictFields(changed.join(", "))}
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
