import { type FormEvent, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { SubAccount } from "../../both-sides/contract/people.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote, ManagedByNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TrackerFaultNotice } from "../tracker-faults/tracker-fault.tsx";
import { VehicleFields, vehicleFields } from "./vehicle-fields.tsx";
import { changedVehicleFields, vehicleFormOf, vehicleProblems } from "./vehicle-form.ts";

export type KnownTracker = Pick<FleetVehicle, "imei" | "tracker_id" | "tracker_protocol">;

interface VehicleDialogProps {
  /** Null: a new one. */
  readonly vehicle: FleetVehicle | null;
  /** Of a new one, what is known of its tracker. */
  readonly tracker: KnownTracker;
  /** What the clock of its tracker was found to show; null: as it is set. */
  readonly clock: string | null;
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: (vehicle: FleetVehicle) => void;
  readonly onRemove: (vehicle: FleetVehicle) => void;
}

export function VehicleDialog(props: VehicleDialogProps) {
  const { vehicle, tracker, clock, people, knownTags, onClose, onSaved, onRemove } = props;
  const texts = useAdministrationTexts();
  const { common, vehicles: words, show } = texts;
  const litresPerUnit = 1 / show.volumeIn(1);
  const kept = useKeptForm(
    `vehicle ${vehicle?.device_id ?? `new ${tracker.imei} ${tracker.tracker_id ?? ""}`}`,
    () => ({
      /** The record that the form began with. */
      opened: (vehicle ?? { imei: "" }) as Partial<FleetVehicle>,
      revision: vehicle?.revision ?? null,
      form: vehicleFormOf({ ...(vehicle ?? tracker), ...(clock !== null && { tracker_clock: clock }) }, litresPerUnit),
    }),
  );
  const { opened, revision, form } = kept.form;
  // What is not finished yet is no mistake: a field is judged when it was left, all of them when they were sent.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isSent, setSent] = useState(false);
  const fields = changedVehicleFields(vehicleFormOf(opened, litresPerUnit), form, litresPerUnit);
  const isComplete = form.name.trim() !== "" && form.imei.trim() !== "";
  const isChanged = Object.keys(fields).length > 0;
  const edit = useEdit<"POST /fleet/devices" | "PUT /fleet/devices/{device_id}">(
    !isChanged || !isComplete
      ? null
      : vehicle === null || revision === null
        ? { target: "POST /fleet/devices", body: { fields } }
        : {
            target: to("PUT /fleet/devices/{device_id}", { device_id: vehicle.device_id }),
            body: { revision, fields },
          },
  );
  const problems = vehicleProblems(edit.error, texts, words.problems, fields);
  const shownProblems = Object.fromEntries(Object.entries(problems).filter(([name]) => isSent || left.has(name)));
  const save = async (onRevision?: number, chosen?: Readonly<Record<string, unknown>>) => {
    setSent(true);
    const saved = await edit.save(onRevision, chosen && { fields: chosen });
    if (saved === null) return;
    announce((vehicle === null ? words.added : words.saved)(saved.name));
    onSaved(saved);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save();
    else onClose();
  };
  return (
    <FormDialog
      title={vehicle === null ? words.addTitle : words.editTitle(vehicle.name)}
      wide
      mustDecide={isChanged}
      error={Object.keys(problems).length === 0 ? edit.error : null}
      isBusy={edit.isSaving}
      isDisabled={edit.conflict !== null}
      isBack={kept.isBack}
      words={[vehicle === null ? words.addIt : common.save, common.saving]}
      onSubmit={submit}
      onClose={onClose}
      outcome={
        <>
          <EffectNote effect={edit.effect} />
          {vehicle !== null && (
            <button
              type="button"
              className="button button-danger foot-first"
              disabled={isChanged}
              onClick={() => onRemove(vehicle)}
            >
              {words.remove}…
            </button>
          )}
        </>
      }
    >
      {edit.conflict && (
        <ConflictNotice
          conflict={edit.conflict}
          {...vehicleFields(opened, { words, show, people })}
          mine={fields}
          onSave={save}
          onTakeTheirs={() => {
            const theirs = edit.conflict?.current as Partial<FleetVehicle>;
            kept.setForm({
              opened: { imei: "", ...theirs },
              form: vehicleFormOf(theirs, litresPerUnit),
              revision: edit.conflict?.revision ?? null,
            });
            edit.forgetConflict();
          }}
        />
      )}
      {vehicle !== null && <TrackerFaultNotice deviceId={vehicle.device_id} />}
      <VehicleFields
        form={form}
        isNew={vehicle === null}
        isCalling={tracker.tracker_id !== null || tracker.tracker_protocol !== null}
        storedImei={opened.imei ?? ""}
        problems={shownProblems}
        people={people}
        knownTags={knownTags}
        onChange={(changed) => kept.setForm((before) => ({ ...before, form: { ...before.form, ...changed } }))}
        onLeft={(name) => setLeft((before) => new Set(before).add(name))}
      />
      {vehicle !== null && <ManagedByNote record={vehicle} />}
    </FormDialog>
  );
}
