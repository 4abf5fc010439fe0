import { useEffect, useMemo, useState } from "react";
import type { SubAccount } from "../api/portal-records.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { PeopleChoice } from "./people-choice.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { TagField } from "./tag-field.tsx";
import { type SeveralChange, useSeveral } from "./use-several.ts";
import { tagsOf } from "./vehicle-filter.ts";
import type { FleetVehicle, VehicleStatus } from "./vehicle-records.ts";

export type SeveralKind = "tags" | "status" | "people";

interface SeveralDialogProps {
  readonly kind: SeveralKind;
  readonly vehicles: readonly FleetVehicle[];
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Somebody else was faster: the list must be loaded again. */
  readonly onConflict: () => void;
}

/** One change of several vehicles. */
export function SeveralDialog(props: SeveralDialogProps) {
  const { kind, vehicles, people, knownTags, onClose, onSaved, onConflict } = props;
  const { vehicles: words } = useAdministrationTexts();
  const { common } = useTexts();
  const show = useShow();
  const [isTaking, setTaking] = useState(false);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [users, setUsers] = useState<readonly string[]>([]);
  const [status, setStatus] = useState<VehicleStatus | null>(null);
  const change = useMemo((): SeveralChange | null => {
    if (kind === "status") return status === null ? null : { status };
    if (kind === "tags") return tags.length === 0 ? null : isTaking ? { remove_tags: tags } : { add_tags: tags };
    return users.length === 0 ? null : isTaking ? { remove_user_ids: users } : { add_user_ids: users };
  }, [kind, status, tags, users, isTaking]);
  const { preview, isSaving, error, isConflict, save } = useSeveral(vehicles, change);
  useEffect(() => {
    if (isConflict) onConflict();
  }, [isConflict, onConflict]);
  const counted = common.vehicles(vehicles.length, show.number(vehicles.length));
  const titles = { tags: words.tagSomeTitle, status: words.statusSomeTitle, people: words.assignSomeTitle } as const;
  const directions = {
    tags: [words.addTags, words.takeTags],
    people: [words.giveTo, words.takeFrom],
  } as const;
  const submit = async () => {
    const changed = await save();
    if (changed === null) return;
    announce(words.savedSome(changed, show.number(changed)));
    onSaved();
  };
  return (
    <Dialog title={titles[kind](counted)} onClose={onClose}>
      <div className="dialog-form">
        {isConflict ? (
          <Notice kind="warning">{words.conflictSome}</Notice>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        {kind !== "status" && (
          <fieldset className="segmented">
            <legend className="visually-hidden">{titles[kind](counted)}</legend>
            {directions[kind].map((text, index) => (
              <label key={text}>
                <input
                  type="radio"
                  name="direction"
                  checked={isTaking === (index === 1)}
                  onChange={() => setTaking(index === 1)}
                />
                <span>{text}</span>
              </label>
            ))}
          </fieldset>
        )}
        {kind === "tags" && (
          <TagField
            label={words.tags}
            tags={tags}
            known={isTaking ? tagsOf(vehicles, show.compare) : knownTags}
            onChange={setTags}
          />
        )}
        {kind === "people" && <PeopleChoice people={people} chosen={users} onChange={setUsers} />}
        {kind === "status" && <StatusChoice value={status} onChange={setStatus} />}
        {preview?.changed === 0 ? (
          <p className="quiet">{words.unchangedSome}</p>
        ) : (
          <EffectNote effect={preview?.effect ?? null} />
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={change === null || isSaving || isConflict}
            onClick={submit}
          >
            {isSaving ? common.saving : common.save}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
