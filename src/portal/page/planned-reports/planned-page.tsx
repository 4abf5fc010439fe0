import { useEffect, useState } from "react";
import type { PlannedReportRecord } from "../../records/planned-report-record.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { EmptyState, ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { MailList } from "../notifications/mail-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { loadPlannedReports } from "./load-planned.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { bodyOf, draftOf, reportOf } from "./plan-draft.ts";
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

interface Open {
  readonly dialog: "change" | "remove";
  readonly plan: PlannedReportRecord;
}

/** A report takes some seconds to be made and sent. */
const lookEveryMs = 5_000;

const pathOf = ({ planned_report_id }: PlannedReportRecord) => `/planned-reports/${planned_report_id}`;

function PlannedReports() {
  const { plannedReports: words, show } = useAdministrationTexts();
  const loading = useLoad(loadPlannedReports);
  const { loaded, reload } = loading;
  const [open, setOpen] = useState<Open | null>(null);
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
    const what = reportOf(plan);
    const body = what && bodyOf(draftOf(plan), what, plan.next_at !== null, null);
    return change(() => send("PUT", pathOf(plan), body), words.saved);
  };
  const remove = async (plan: PlannedReportRecord) => {
    await send("DELETE", pathOf(plan));
    announce(words.removed);
    focusAfterRemoval();
    closeAndReload();
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
      {shown && !shown.sends_mail && (
        <Notice kind="info">
          <p>{words.noMail}</p>
        </Notice>
      )}
      {shown && shown.data.length === 0 && (
        <EmptyState icon="report" title={words.none}>
          <p>{words.noneWhat}</p>
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
                onRun={() => change(() => send("POST", `${pathOf(plan)}/run`), words.started)}
                onChange={() => setOpen({ dialog: "change", plan })}
                onPause={() => pause(plan)}
                onRemove={() => setOpen({ dialog: "remove", plan })}
                onReceive={(isStopped) =>
                  change(() => send("PUT", `${pathOf(plan)}/receipt`, { is_stopped: isStopped }), words.saved)
                }
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
