import { type FormEvent, useState } from "react";
import { alertTypes, severities } from "../../../domain/alert-types.ts";
import { type Pacing, pacings } from "../../../domain/notifications/choice.ts";
import { to } from "../../both-sides/address.ts";
import type {
  MailablePerson,
  NotificationRecord,
  NotificationsAnswer,
} from "../../both-sides/contract/notifications.ts";
import { send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { CheckList, toggled } from "../common/fields/check-list.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { zoneOptions } from "../common/reading/zones.ts";
import { useSession } from "../common/session.ts";
import { useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type ChoiceDraft, choiceBody, choiceDraftOf, newDraft } from "./choice-draft.ts";

interface ChoiceDialogProps {
  /** Null: a new one. */
  readonly choice: NotificationRecord | null;
  readonly people: NotificationsAnswer["people"];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** What a person is mailed of, and when. */
export function ChoiceDialog({ choice, people, onClose, onSaved }: ChoiceDialogProps) {
  const { notifications: words, common } = useAdministrationTexts();
  const { user } = useSession();
  const [draft, setDraft] = useState<ChoiceDraft>(() => (choice ? choiceDraftOf(choice) : newDraft(user.user_id)));
  const [wasIncomplete, setIncomplete] = useState(false);
  const { submit, error, isBusy } = useSubmit();
  const change = (changed: Partial<ChoiceDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const body = choiceBody(draft, choice !== null && choice.stopped_at !== null);
  const nameOf = (person: MailablePerson) => (person.needs_confirmation ? words.unconfirmed(person.name) : person.name);
  const isUnconfirmed = people.some((person) => person.user_id === draft.userId && person.needs_confirmation);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setIncomplete(body === null);
    if (body === null) return;
    void submit(async () => {
      if (choice)
        await send(to("PUT /notifications/{notification_id}", { notification_id: choice.notification_id }), body);
      else await send("POST /notifications", body);
      announce(words.saved);
      onSaved();
    });
  };
  return (
    <FormDialog
      title={choice ? words.changeTitle : words.newTitle}
      wide
      onClose={onClose}
      error={error}
      isBusy={isBusy}
      words={[common.save, common.saving]}
      onSubmit={save}
      outcome={wasIncomplete && body === null && <Notice kind="error">{words.atLeastOne}</Notice>}
    >
      {choice === null && people.length > 1 && (
        <Select
          label={words.person}
          value={draft.userId}
          onChange={(userId) => change({ userId })}
          options={people.map((person) => [person.user_id, nameOf(person)] as const)}
        />
      )}
      {isUnconfirmed && <p className="hint">{words.unconfirmedWhat}</p>}
      <WhichAlerts draft={draft} onChange={change} />
      <WhichVehicles draft={draft} onChange={change} />
      <Select
        label={words.when}
        value={draft.pacing}
        onChange={(pacing) => change({ pacing: pacing as Pacing })}
        options={pacings.map((pacing) => [pacing, words.pacing[pacing]] as const)}
      />
      <Check text={words.tellsEnd} checked={draft.tellsEnd} onChange={(tellsEnd) => change({ tellsEnd })} />
      <QuietHours draft={draft} onChange={change} />
    </FormDialog>
  );
}

interface PartProps {
  readonly draft: ChoiceDraft;
  readonly onChange: (changed: Partial<ChoiceDraft>) => void;
}

function WhichAlerts({ draft, onChange }: PartProps) {
  const { notifications: words, alerts } = useAdministrationTexts();
  const types = alertTypes.map((type) => ({ id: type, name: alerts.types[type], detail: "" }));
  return (
    <>
      <Select
        label={words.which}
        value={draft.types === null ? "all" : "some"}
        onChange={(choice) => onChange({ types: choice === "all" ? null : new Set() })}
        options={[
          ["all", words.allAlerts],
          ["some", words.someTypes],
        ]}
      />
      {draft.types !== null && (
        <fieldset className="choice-of-vehicles">
          <legend>{words.types}</legend>
          <CheckList
            items={types}
            chosen={draft.types}
            onToggle={(ids, isWanted) => onChange({ types: toggled(draft.types, ids, isWanted) })}
            searchLabel={words.types}
            searchFrom={Number.POSITIVE_INFINITY}
          />
        </fieldset>
      )}
      <fieldset className="choice-of-vehicles">
        <legend>{words.severities}</legend>
        {severities.toReversed().map((severity) => (
          <Check
            key={severity}
            text={alerts.severities[severity]}
            checked={draft.severities.has(severity)}
            onChange={(isWanted) => onChange({ severities: toggled(draft.severities, [severity], isWanted) })}
          />
        ))}
      </fieldset>
    </>
  );
}

function WhichVehicles({ draft, onChange }: PartProps) {
  const { notifications: words, common } = useAdministrationTexts();
  const devices = useVehiclesByName();
  const { vehicles } = draft;
  const tags = [...new Set(devices.flatMap((device) => device.tags))];
  const items = devices.map(({ device_id, name, plate, imei }) => ({ id: device_id, name, detail: plate ?? imei }));
  return (
    <>
      <Select
        label={words.vehicles}
        value={vehicles === null ? "all" : "some"}
        onChange={(choice) => onChange({ vehicles: choice === "all" ? null : { tags: new Set(), ids: new Set() } })}
        options={[
          ["all", words.allVehicles],
          ["some", words.someVehicles],
        ]}
      />
      {vehicles !== null && tags.length > 0 && (
        <fieldset className="choice-of-vehicles">
          <legend>{words.withTags}</legend>
          <CheckList
            items={tags.map((tag) => ({ id: tag, name: tag, detail: "" }))}
            chosen={vehicles.tags}
            onToggle={(ids, isWanted) =>
              onChange({ vehicles: { ...vehicles, tags: toggled(vehicles.tags, ids, isWanted) } })
            }
            searchLabel={words.searchTag}
            searchFrom={12}
          />
        </fieldset>
      )}
      {vehicles !== null && (
        <fieldset className="choice-of-vehicles">
          <legend>{words.someVehicles}</legend>
          <CheckList
            items={items}
            chosen={vehicles.ids}
            onToggle={(ids, isWanted) =>
              onChange({ vehicles: { ...vehicles, ids: toggled(vehicles.ids, ids, isWanted) } })
            }
            searchLabel={common.searchVehicle}
            placeholder={common.nameOrPlate}
            searchFrom={8}
          />
        </fieldset>
      )}
    </>
  );
}

function QuietHours({ draft, onChange }: PartProps) {
  const { notifications: words } = useAdministrationTexts();
  const { account } = useSession();
  const { quiet, zone } = draft;
  const zones = zoneOptions(zone ?? account.time_zone).filter(([name]) => name !== account.time_zone);
  return (
    <>
      <Check
        text={words.withQuiet}
        checked={quiet !== null}
        onChange={(isWanted) => onChange({ quiet: isWanted ? { from: "22:00", until: "06:00" } : null })}
      />
      {quiet !== null && (
        <div className="field-row">
          <Field
            label={words.from}
            type="time"
            required
            value={quiet.from}
            onChange={({ target }) => onChange({ quiet: { ...quiet, from: target.value } })}
          />
          <Field
            label={words.until}
            type="time"
            required
            value={quiet.until}
            onChange={({ target }) => onChange({ quiet: { ...quiet, until: target.value } })}
          />
        </div>
      )}
      {quiet !== null && <p className="hint">{words.quietWhat}</p>}
      {(quiet !== null || draft.pacing === "day" || zone !== null) && (
        <Select
          label={words.zone}
          value={zone ?? ""}
          onChange={(name) => onChange({ zone: name === "" ? null : name })}
          options={[["", words.accountZone(account.time_zone)], ...zones]}
        />
      )}
    </>
  );
}

interface CheckProps {
  readonly text: string;
  readonly checked: boolean;
  readonly onChange: (isWanted: boolean) => void;
}

function Check({ text, checked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span>{text}</span>
    </label>
  );
}
