import type { Observe } from "../../observe/observation.ts";
import type { MailOutcome } from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import { planById, receiversOf } from "../../store/notifications/planned-reports.ts";
import {
  claimReportMail,
  dueReportMails,
  noteReportMail,
  type ReportMailRow,
} from "../../store/notifications/report-mails.ts";
import type { MailProblem } from "../mail/mail.ts";
import { askToConfirm, waitForConfirmation } from "../notifications/ask-to-confirm.ts";
import {
  type AddressedLetter,
  failedTry,
  type HandOverDeps,
  handOver,
  unsubscribeUrl,
} from "../notifications/hand-over.ts";
import type { ServerRest } from "../notifications/server-rest.ts";
import { type LetterDeps, makeLetter } from "./make-letter.ts";
import { mayBeSentAt } from "./write-reports.ts";

export interface ReportSendingDeps extends LetterDeps, HandOverDeps {
  readonly observe: Observe;
  readonly serverRest: ServerRest;
  /** How long one node has the right to make and send a report. */
  readonly claimMs: number;
}

/** Why a report was not sent, besides what the mail server says: it could not be made, the person sees no vehicle of it, or not its fence, or has not confirmed the address. */
export type ReportProblem = MailProblem | "not_made" | "no_vehicles" | "unconfirmed";

const mailsPerPass = 20;
/** A report that takes longer is given up for now. The rest of the claim is for handing it over. */
const makingShare = 0.6;

/** Makes and sends what waits. */
export async function sendReports(
  deps: ReportSendingDeps,
  now: () => Promise<number>,
  stop: AbortSignal,
): Promise<void> {
  const { database, serverRest, observe, claimMs } = deps;
  for (const mail of await dueReportMails(database, await now(), mailsPerPass)) {
    if (stop.aborted || !serverRest.isOver) return;
    const begun = await now();
    if (!(await claimReportMail(database, mail, begun, begun + claimMs))) continue;
    const problem = await sendReport(deps, mail, begun, stop);
    if (problem === null) serverRest.end();
    else observe({ kind: "reports_delayed", problem, retryMs: serverRest.begin() });
  }
}

/** Returns why the server takes nothing; null: it does, whatever became of this mail. */
async function sendReport(
  deps: ReportSendingDeps,
  mail: ReportMailRow,
  now: number,
  stop: AbortSignal,
): Promise<MailProblem | null> {
  const { database, observe } = deps;
  const note = (outcome: MailOutcome, row_count = 0) =>
    database.transaction((tx) => noteReportMail(tx, mail, { ...outcome, row_count }));
  const allowedAt = await mayBeSentAt(database, mail, now);
  if (allowedAt > now) {
    await note({ ...mail, problem: null, next_try_at: allowedAt });
    return null;
  }
  let written: Written;
  try {
    written = await writtenNow(deps, mail, now, stop);
  } catch (cause) {
    // On the way out nothing is noted: the claim ends, and another node goes on.
    if (stop.aborted) return null;
    observe({ kind: "maintenance_failed", task: "report", cause });
    written = { kind: "nothing", problem: "not_made" };
  }
  if (written.kind === "unconfirmed") {
    await note(waitForConfirmation(mail, now));
    await askToConfirm(deps, { id: mail.user_id, account_id: mail.account_id }, now);
    return null;
  }
  if (written.kind === "nothing") {
    const isOver = written.problem !== "not_made";
    await note(isOver ? { ...mail, ...written, state: "empty", done_at: now } : failedTry(mail, "not_made", now));
    return null;
  }
  const { serverProblem, ...outcome } = await handOver(deps, mail, written, now);
  await note(outcome, written.rowCount);
  if (outcome.state === "sent") observe({ kind: "report_sent", rows: written.rowCount });
  if (outcome.state === "failed") {
    observe({ kind: "report_failed", problem: outcome.problem ?? "", attempts: outcome.attempts });
  }
  return serverProblem;
}

type Written =
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "nothing"; readonly problem: ReportProblem | null }
  | (AddressedLetter & { readonly kind: "letter"; readonly rowCount: number });

/** What the report says at this moment: to somebody who may still sign in and wants it, of what they see now. */
async function writtenNow(
  deps: ReportSendingDeps,
  mail: ReportMailRow,
  now: number,
  stop: AbortSignal,
): Promise<Written> {
  const { database } = deps;
  const { account_id: accountId, user_id: userId, report_id: reportId } = mail;
  const [person] = await notifiablePeople(database, accountId, userId);
  const plan = await planById(database, accountId, reportId);
  const receivers = await receiversOf(database, accountId, reportId);
  const isWanted = receivers.some(({ user_id, stopped_at }) => user_id === userId && stopped_at === null);
  if (person === undefined || plan === null || !isWanted) return { kind: "nothing", problem: null };
  if (person.is_confirmed === 0) return { kind: "unconfirmed" };
  const url = await unsubscribeUrl(deps, { userId, choiceId: reportId });
  const days = { from: mail.from_day, to: mail.to_day };
  const made = await inTime(deps.claimMs * makingShare, stop, (ending) =>
    makeLetter(deps, { plan, person, days, unsubscribeUrl: url, now, stop: ending }),
  );
  if (made === null) return { kind: "nothing", problem: "no_vehicles" };
  return { kind: "letter", person, unsubscribeUrl: url, ...made };
}

/** Not by AbortSignal.any: in Bun each keeps a kilobyte for as long as its sources. */
async function inTime<T>(ms: number, stop: AbortSignal, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  const abort = () => either.abort();
  const timer = setTimeout(abort, ms);
  stop.addEventListener("abort", abort);
  try {
    return await work(either.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  }
}
