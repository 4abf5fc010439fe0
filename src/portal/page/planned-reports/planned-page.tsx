import { useEffect } from "react";
import { to } from "../../both-sides/address.ts";
import type { PlannedReportRecord } from "../../both-sides/contract/planned-reports.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { EmptyState, ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { MailList } from "../notifications/mail-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { planDraftOf, plannedReportBody, reportOf } from "./plan-draft.ts";
import { PlanRow } from "./plan-row.tsx";

/** Reports that a person gets by mail; the owner sees and plans those of everybody. */
export default function PlannedReportsPage() {
  return (
    <div className="page">
      <WithAdministrationTexts>
        <PlannedReports />
      </WithAdministrationTexts>
    </div>
  );
}

interface OpenPlan {
  readonly dialog: "change" | "remove";
  readonly plan: PlannedReportRecord;
}

/** A report takes some seconds to be made and sent. */
const lookEveryMs = 5_000;

function PlannedReports() {
  const { plannedReports: words, show } = useAdministrationTexts();
  const loading = useAnswer("GET /planned-reports");
  const { loaded, reload } = loading;
  const [open, setOpen] = useOpenForm<OpenPlan>(
    "planned reports",
    () => null,
    ({ dialog }) => dialog === "change",
  );
  const { submit, error } = useSubmit();
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const shown = loaded.data;
  const unconfirmed = new Set(shown?.people.flatMap((one) => (one.needs_confirmation ? [one.user_id] : [])));
  const isWaiting = shown?.mails.some(({ state }) => state === "waiting") ?? false;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(reload, lookEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  const close = () => setOpen(null);
  const closeAndReload = () => {
    close();
    reload();
  };
  const change = (work: () => Promise<unknown>, said: string) =>
    submit(async () => {
      await work();
      announce(said);
      reload();
    });
  const pause = (plan: PlannedReportRecord) => {
    const { planned_report_id } = plan;
    const what = reportOf(plan);
    const body = what && plannedReportBody(planDraftOf(plan), what, plan.next_at !== null, null);
    if (body === null) return undefined;
    return change(() => send(to("PUT /planned-reports/{planned_report_id}", { planned_report_id }), body), words.saved);
  };
  const remove = async ({ planned_report_id }: PlannedReportRecord) => {
    await send(to("DELETE /planned-reports/{planned_report_id}", { planned_report_id }));
    announce(words.removed);
    focusAfterRemoval();
    closeAndReload();
  };
  const run = ({ planned_report_id }: PlannedReportRecord) =>
    change(() => send(to("POST /planned-reports/{planned_report_id}/run", { planned_report_id })), words.started);
  const receive = ({ planned_report_id }: PlannedReportRecord, is_stopped: boolean) => {
    const target = to("PUT /planned-reports/{planned_report_id}/receipt", { planned_report_id });
    return change(() => send(target, { is_stopped }), words.saved);
  };
  const changed = open?.dialog === "change" ? reportOf(open.plan) : null;
  return (
    <>
      <PageHead title={words.title} text={words.about}>
        <Link to="/reports" className="button">
          {words.openReports}
        </Link>
      </PageHead>
      <LoadState {...loading} />
      {error !== null && <ErrorNotice error={error} />}
      {shown && !shown.sends_mail && <Notice kind="info">{words.noMail}</Notice>}
      {shown && shown.data.length === 0 && (
        <EmptyState icon="report" title={words.none}>
          {words.noneWhat}
        </EmptyState>
      )}
      {shown && (
        <div className="stack">
          <ul className="people-list">
            {shown.data.map((plan) => (
              <PlanRow
                key={plan.planned_report_id}
                plan={plan}
                unconfirmed={unconfirmed}
                last={shown.mails.find((mail) => mail.planned_report_id === plan.planned_report_id) ?? null}
                onRun={() => run(plan)}
                onChange={() => setOpen({ dialog: "change", plan })}
                onPause={() => pause(plan)}
                onRemove={() => setOpen({ dialog: "remove", plan })}
                onReceive={(isStopped) => receive(plan, isStopped)}
              />
            ))}
          </ul>
          {shown.data.length > 0 && (
            <MailList
              mails={shown.mails}
              isNamed={shown.people.length > 1}
              columns={[
                [words.report, ({ report_name }) => report_name],
                [words.period, ({ from, to }) => [...new Set([from, to])].map((day) => show.day(day)).join(" – ")],
              ]}
            />
          )}
        </div>
      )}
      {open && changed && (
        <PlanDialog
          what={changed}
          plan={open.plan}
          people={shown?.people ?? []}
          onClose={close}
          onSaved={closeAndReload}
        />
      )}
      {open?.dialog === "remove" && (
        <ConfirmDialog
          title={words.removeTitle}
          onClose={close}
          words={[words.remove, words.removing]}
          work={() => remove(open.plan)}
        >
          <p>{words.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
