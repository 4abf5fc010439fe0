import { type FormEvent, useEffect, useState } from "react";
import { alertTypes, type Severity, severities } from "../../../domain/alert-types.ts";
import { type Pacing, pacings } from "../../../domain/notifications/choice.ts";
import { to } from "../../both-sides/address.ts";
import type {
  MailablePerson,
  NotificationRecord,
  NotificationsAnswer,
  RuleFeed,
  RuleFeeds,
} from "../../both-sides/contract/notifications.ts";
import { feeding } from "../../both-sides/notifications/feeds.ts";
import { preview, send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Check } from "../common/fields/check.tsx";
import { CheckList, toggled } from "../common/fields/check-list.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { showFirstProblem } from "../common/fields/first-problem.ts";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { Notice } from "../common/loading/notice.tsx";
import { zoneOptions } from "../common/reading/zones.ts";
import { useSession } from "../common/session.ts";
import { useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { usePreview } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import {
  type ChoiceDraft,
  choiceBody,
  choiceDraftOf,
  newDraft,
  possibleSeverities,
  wantedSeverities,
} from "./choice-draft.ts";
import { FeedList } from "./feed-list.tsx";

interface ChoiceDialogProps {
  /** Null: a new one. */
  readonly choice: NotificationRecord | null;
  readonly people: NotificationsAnswer["people"];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** What a person is mailed of, and when. */
export function ChoiceDialog({ choice, people, onClose, onSaved }: ChoiceDialogProps) {
  const { notifications: words, rules, common } = useAdministrationTexts();
  const { user } = useSession();
  const {
    form: draft,
    setForm: setDraft,
    isBack,
  } = useKeptForm<ChoiceDraft>(`notification ${choice?.notification_id ?? "new"}`, () =>
    choice ? choiceDraftOf(choice) : newDraft(user.user_id),
  );
  const [wasIncomplete, setIncomplete] = useState(false);
  const { submit, error, isBusy, forgetError } = useSubmit();
  const [wasSilent, setSilent] = useState(false);
  const change = (changed: Partial<ChoiceDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    setSilent(false);
    forgetError();
  };
  const isStopped = choice !== null && choice.stopped_at !== null;
  const feeds = useFeeds(draft, choice);
  const body = choiceBody(draft, feeds?.rules ?? [], isStopped);
  const isSilent = !isStopped && body !== null && feeds !== null && feeding(body, feeds.rules).length === 0;
  const isRefusing = ({ user_id, is_unsubscribed }: MailablePerson) => is_unsubscribed && user_id !== user.user_id;
  const nameOf = (person: MailablePerson) => {
    if (isRefusing(person)) return rules.mail.unsubscribed(person.name);
    return person.needs_confirmation ? words.unconfirmed(person.name) : person.name;
  };
  const person = people.find(({ user_id }) => user_id === draft.userId);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIncomplete(body === null);
    if (body === null) showFirstProblem(event.currentTarget);
    // What never sends anything is not stored in silence.
    setSilent(isSilent);
    if (!isSilent) store(false);
  };
  const store = (although_silent: boolean) => {
    if (body === null) return;
    const sent = { ...body, although_silent };
    void submit(async () => {
      if (choice)
        await send(to("PUT /notifications/{notification_id}", { notification_id: choice.notification_id }), sent);
      else await send("POST /notifications", sent);
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
      isBack={isBack}
      words={[common.save, common.saving]}
      onSubmit={save}
      outcome={
        wasSilent &&
        isSilent && (
          <Notice kind="error">
            <p>
              {feeds.vehicles === 0
                ? `${words.feeds.noVehicles} ${words.feeds.notYetVehicles}`
                : `${words.feeds.silent} ${words.feeds.notYet}`}
            </p>
            <Button look="small" text={words.feeds.saveAnyway} isBusy={isBusy} onClick={() => store(true)} />
          </Notice>
        )
      }
    >
      {choice === null && people.length > 1 && (
        <Select
          label={words.person}
          isFirst
          value={draft.userId}
          onChange={(userId) => change({ userId })}
          options={people.map((person) => [person.user_id, nameOf(person)] as const)}
        />
      )}
      {person?.needs_confirmation && <p className="hint">{words.unconfirmedWhat}</p>}
      {person && isRefusing(person) && <p className="question">{words.hasUnsubscribed(person.name)}</p>}
      <WhichAlerts
        draft={draft}
        feeds={feeds?.rules ?? []}
        wasIncomplete={wasIncomplete}
        isFirst={choice !== null || people.length < 2}
        onChange={change}
      />
      <WhichVehicles draft={draft} wasIncomplete={wasIncomplete} onChange={change} />
      {feeds !== null && body !== null && (
        <fieldset className="choice-of-vehicles">
          <legend>{words.feeds.title}</legend>
          <FeedList wanted={body} feeds={feeds} isBeside />
        </fieldset>
      )}
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

/** The rules in force for the vehicles that are chosen; what was known of others stays until these are known. */
function useFeeds(draft: ChoiceDraft, choice: NotificationRecord | null): RuleFeeds | null {
  const everything = { ...draft, types: null, severities: new Set(severities), quiet: null };
  const body = choiceBody(everything, [], false);
  const { preview: previewed } = usePreview(body && { target: "POST /notifications", body });
  const [known, setKnown] = useState(choice?.feeds ?? null);
  useEffect(() => {
    if (previewed !== null) setKnown(previewed);
  }, [previewed]);
  const sent = JSON.stringify(body);
  // A rule may have been switched on in another tab.
  useEffect(() => {
    const outdated = new AbortController();
    const look = () => {
      if (sent === "null") return;
      preview("POST /notifications", JSON.parse(sent), outdated.signal).then(
        ({ data }) => setKnown(data),
        () => {},
      );
    };
    addEventListener("focus", look);
    return () => {
      removeEventListener("focus", look);
      outdated.abort();
    };
  }, [sent]);
  return known;
}

interface PartProps {
  readonly draft: ChoiceDraft;
  /** Whether it was to be saved with something missing. */
  readonly wasIncomplete?: boolean;
  readonly onChange: (changed: Partial<ChoiceDraft>) => void;
}

function WhichAlerts({
  draft,
  feeds,
  wasIncomplete = false,
  isFirst,
  onChange,
}: PartProps & { readonly feeds: readonly RuleFeed[]; readonly isFirst: boolean }) {
  const { notifications: words, alerts } = useAdministrationTexts();
  const isOn = (type: string) => feeds.length === 0 || feeds.some(({ alert_type }) => alert_type === type);
  const types = alertTypes.map((type) => {
    return { id: type, name: alerts.types[type], detail: isOn(type) ? "" : words.feeds.isOff };
  });
  const possible = possibleSeverities(draft, feeds);
  const wanted = wantedSeverities(draft, feeds);
  const choose = (severity: Severity, isWanted: boolean) =>
    onChange({ severities: toggled(wanted, [severity], isWanted), hasOwnSeverities: true });
  return (
    <>
      <Select
        label={words.which}
        isFirst={isFirst}
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
          <Missing isShown={wasIncomplete && draft.types.size === 0} />
        </fieldset>
      )}
      <fieldset className="choice-of-vehicles">
        <legend>{words.severities}</legend>
        {severities.toReversed().map((severity) => (
          <Check
            key={severity}
            text={
              possible.has(severity)
                ? alerts.severities[severity]
                : `${alerts.severities[severity]} (${words.feeds.noneOfThese})`
            }
            checked={wanted.has(severity)}
            disabled={!possible.has(severity)}
            onChange={(isWanted) => choose(severity, isWanted)}
          />
        ))}
        <Missing isShown={wasIncomplete && wanted.size === 0} />
      </fieldset>
    </>
  );
}

function WhichVehicles({ draft, wasIncomplete = false, onChange }: PartProps) {
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
          <Missing isShown={wasIncomplete && vehicles.tags.size + vehicles.ids.size === 0} />
        </fieldset>
      )}
    </>
  );
}

/** Said where the choice is to be made. */
function Missing({ isShown }: { readonly isShown: boolean }) {
  const { notifications: words } = useAdministrationTexts();
  return (
    isShown && (
      <p className="problem" role="alert">
        {words.atLeastOne}
      </p>
    )
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
