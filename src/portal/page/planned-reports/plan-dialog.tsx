import { type FormEvent, useState } from "react";
import { type Cadence, cadences } from "../../../domain/notifications/planned-report.ts";
import { to } from "../../both-sides/address.ts";
import type { PlannedReportRecord, PlannedReportsAnswer } from "../../both-sides/contract/planned-reports.ts";
import type { Period } from "../../both-sides/periods/period.ts";
import { reportTitle } from "../../both-sides/reports/report-title.ts";
import { send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { CheckList, toggled } from "../common/fields/check-list.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { Notice } from "../common/loading/notice.tsx";
import { useSession } from "../common/session.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { cadenceOf, newPlan, type PlanDraft, planDraftOf, plannedReportBody, type ReportToSend } from "./plan-draft.ts";
import { useFilterWords } from "./use-filter-words.ts";

interface PlanDialogProps {
  readonly what: ReportToSend;
  /** Null: a new one. */
  readonly plan: PlannedReportRecord | null;
  /** Of a new one, the days that the report shows now. */
  readonly period?: Period;
  readonly people: PlannedReportsAnswer["people"];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const searchFrom = 8;

/** How often a report is mailed, and to whom. */
export function PlanDialog({ what, plan, period, people: everybody, onClose, onSaved }: PlanDialogProps) {
  const texts = useAdministrationTexts();
  const { plannedReports: words, notifications, people, common } = texts;
  const { user, account } = useSession();
  const title = reportTitle(what.report, what.filters.view, texts);
  const {
    form: draft,
    setForm: setDraft,
    isBack,
  } = useKeptForm<PlanDraft>(`planned report ${plan?.planned_report_id ?? `new ${what.report}`}`, () =>
    plan ? planDraftOf(plan) : newPlan(title, user.user_id, period ? cadenceOf(period) : "week"),
  );
  const [wasIncomplete, setIncomplete] = useState(false);
  const { submit, error, isBusy } = useSubmit();
  const about = useFilterWords(what.filters);
  const change = (changed: Partial<PlanDraft>) => setDraft((before) => ({ ...before, ...changed }));
  // Who was disabled since still gets it when enabled again, or is taken out here.
  const choices = new Map([...everybody, ...(plan?.people ?? [])].map(({ user_id, name }) => [user_id, name]));
  const unconfirmed = new Set(everybody.flatMap((one) => (one.needs_confirmation ? [one.user_id] : [])));
  const isChoosing = plan === null || choices.size > 1;
  const body = plannedReportBody(
    draft,
    what,
    plan !== null && plan.next_at === null,
    isChoosing ? draft.userIds : null,
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    setIncomplete(body === null);
    if (body === null) return;
    void submit(async () => {
      if (plan)
        await send(to("PUT /planned-reports/{planned_report_id}", { planned_report_id: plan.planned_report_id }), body);
      else await send("POST /planned-reports", body);
      announce(words.saved);
      onSaved();
    });
  };
  return (
    <FormDialog
      title={plan ? words.changeTitle : words.newTitle}
      onClose={onClose}
      error={error}
      isBusy={isBusy}
      isBack={isBack}
      words={[common.save, common.saving]}
      onSubmit={save}
      outcome={wasIncomplete && body === null && <Notice kind="error">{words.atLeastOne}</Notice>}
    >
      <p>
        <strong>{title}</strong> · {about}
      </p>
      {plan === null && <p className="hint">{words.what}</p>}
      <Field
        label={words.name}
        required
        maxLength={100}
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Select
        label={words.howOften}
        value={draft.cadence}
        onChange={(cadence) => change({ cadence: cadence as Cadence })}
        options={cadences.map((cadence) => [cadence, words.cadence[cadence]] as const)}
      />
      <Select
        label={`${words.hour} (${account.time_zone.replaceAll("_", " ")})`}
        value={String(draft.hour)}
        onChange={(hour) => change({ hour: Number(hour) })}
        options={hours.map((hour) => [String(hour), texts.show.time(hour * 3_600_000, "time", "UTC")] as const)}
      />
      {choices.size > 1 && (
        <fieldset className="choice-of-vehicles">
          <legend>{words.people}</legend>
          <CheckList
            items={[...choices].map(([id, name]) => ({
              id,
              name,
              detail: unconfirmed.has(id) ? people.notConfirmed : "",
            }))}
            chosen={draft.userIds}
            onToggle={(ids, isWanted) => change({ userIds: toggled(draft.userIds, ids, isWanted) })}
            searchLabel={words.searchPerson}
            searchFrom={searchFrom}
          />
        </fieldset>
      )}
      {!unconfirmed.isDisjointFrom(draft.userIds) && <p className="hint">{notifications.unconfirmedWhat}</p>}
    </FormDialog>
  );
}
