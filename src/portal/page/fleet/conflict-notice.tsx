import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { Button } from "../common/elements/button.tsx";
import { ChoiceList } from "../common/fields/choices.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type ConflictFields, changedParts, partsInConflict, sentFields } from "./conflict-parts.ts";
import type { SeenConflict } from "./use-edit.ts";

interface ConflictNoticeProps extends ConflictFields {
  readonly conflict: SeenConflict;
  /** The fields that were to be stored. */
  readonly mine: Readonly<Record<string, unknown>>;
  /** Stores these of them, over what is there now. */
  readonly onSave: (revision: number, fields: Readonly<Record<string, unknown>>) => void;
  readonly onTakeTheirs: () => void;
}

/** Another person was faster: their values beside one's own, where both changed a field, and the choice which one stays. */
export function ConflictNotice({ conflict, mine, onSave, onTakeTheirs, ...fields }: ConflictNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed may be far below, and waits for the choice.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const parts = partsInConflict(conflict.current, mine, fields);
  const sentence = conflictSentence(conflict, fields, words, new Set(parts.map(({ label }) => label)));
  const chosen = sentFields(mine, parts, theirs);
  const save = () => (Object.keys(chosen).length === 0 ? onTakeTheirs() : onSave(conflict.revision, chosen));
  return (
    <div ref={box} className="conflict" tabIndex={-1}>
      <Notice kind="warning">
        <p role="alert">
          <strong>{words.conflict}.</strong> {sentence} {sentence !== "" && words.nothingLost}
        </p>
        {parts.length > 0 && <p>{words.bothChanged}</p>}
        <div className="conflict-fields">
          {parts.map(({ label, mine, current }) => (
            <ChoiceList
              key={label}
              legend={label}
              choices={[
                ["mine", words.yours, mine || words.emptyValue],
                ["theirs", words.theirs, current || words.emptyValue],
              ]}
              value={theirs.has(label) ? "theirs" : "mine"}
              onChange={(whose) => {
                const others = [...theirs].filter((other) => other !== label);
                setTheirs(new Set(whose === "mine" ? others : [...others, label]));
              }}
            />
          ))}
        </div>
        <p className="button-row">
          <Button look="small" text={words.takeTheirs} onClick={onTakeTheirs} />
          <Button look="small" text={theirs.size === 0 ? words.keepMine : words.saveChosen} onClick={save} />
        </p>
      </Notice>
    </div>
  );
}

interface ChangedNoticeProps extends ConflictFields {
  readonly conflict: SeenConflict;
  readonly children?: ReactNode;
}

/** Before something is done to the record as a whole. A person who knows what changed may go on. */
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

/** What another person changed, each with what is there now: "Changed since you opened it: Name (now Van 2)." Pure. */
function conflictSentence(
  { current }: Pick<SeenConflict, "current">,
  fields: ConflictFields,
  words: AdministrationTexts["fleet"],
  without: ReadonlySet<string> = new Set(),
): string {
  const changed = changedParts(current, fields)
    .filter(({ label }) => !without.has(label))
    .map(({ label, value }) => {
      if (value === undefined) return label;
      return value === "" ? words.nowEmpty(label) : words.nowValue(label, value);
    });
  return changed.length === 0 ? "" : words.conflictFields(changed.join(", "));
}
