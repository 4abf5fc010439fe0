import { useEffect, useState } from "react";
import type { SubAccount } from "../../both-sides/contract/people.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { send } from "../api/request.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { conflictOf, usePreview } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TagField } from "./tag-field.tsx";
import { PeopleChoice, StatusChoice } from "./vehicle-fields.tsx";
import { tagsOf, type VehicleStatus } from "./vehicle-records.ts";

export type SeveralKind = "tags" | "status" | "people";

interface SeveralDialogProps {
  readonly kind: SeveralKind;
  readonly vehicles: readonly FleetVehicle[];
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Another person was faster: the list must be loaded again. */
  readonly onConflict: () => void;
}

const target = "POST /fleet/devices/change";
const directions = ["add", "remove"] as const;

/** One change of several vehicles: of all of them, or of none. Says beforehand what it concerns. */
export default function SeveralDialog(props: SeveralDialogProps) {
  const { kind, vehicles, people, knownTags, onClose, onSaved, onConflict } = props;
  const { vehicles: words, common, show } = useAdministrationTexts();
  const [direction, setDirection] = useState<(typeof directions)[number]>("add");
  const [tags, setTags] = useState<readonly string[]>([]);
  const [users, setUsers] = useState<readonly string[]>([]);
  const [status, setStatus] = useState<VehicleStatus | null>(null);
  const [isSaving, setSaving] = useState(false);
  const change = () => {
    if (kind === "status") return status && { status };
    const [field, values] = kind === "tags" ? ["tags", tags] : ["user_ids", users];
    return values.length === 0 ? null : { [`${direction}_${field}`]: values };
  };
  const changed = change();
  const devices = vehicles.map(({ device_id, revision }) => ({ device_id, revision }));
  const body = changed && { devices, ...changed };
  const { preview, error, fail } = usePreview(body && { target, body });
  const isConflict = conflictOf(error) !== null;
  useEffect(() => {
    if (isConflict) onConflict();
  }, [isConflict, onConflict]);
  const save = async () => {
    if (body === null) return;
    setSaving(true);
    try {
      const { data } = await send(target, body);
      announce(words.savedSome(data.changed, show.number(data.changed)));
      onSaved();
    } catch (cause) {
      fail(cause);
      setSaving(false);
    }
  };
  const counted = common.vehicles(vehicles.length, show.number(vehicles.length));
  const titles = { tags: words.tagSomeTitle, status: words.statusSomeTitle, people: words.assignSomeTitle } as const;
  const directionWords = {
    tags: { add: words.addTags, remove: words.takeTags },
    people: { add: words.giveTo, remove: words.takeFrom },
  };
  return (
    <FormDialog
      title={titles[kind](counted)}
      error={isConflict ? null : error}
      isBusy={isSaving}
      isDisabled={body === null || isConflict}
      words={[common.save, common.saving]}
      onConfirm={save}
      onClose={onClose}
    >
      {isConflict && <Notice kind="warning">{words.conflictSome}</Notice>}
      {kind !== "status" && (
        <Segmented
          name="direction"
          label={titles[kind](counted)}
          options={directions}
          words={directionWords[kind]}
          value={direction}
          onChange={setDirection}
        />
      )}
      {kind === "tags" && (
        <TagField
          label={words.tags}
          tags={tags}
          known={direction === "remove" ? tagsOf(vehicles, show.compare) : knownTags}
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
    </FormDialog>
  );
}
