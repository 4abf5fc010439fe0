import { forgetOldConfirmations } from "../../access/email-confirmations.ts";
import type { Api } from "../../api/server.ts";
import { longestLimitMs, nextAllowedTo } from "../../domain/notifications/limits.ts";
import type { Observation } from "../../observe/observation.ts";
import type { Transaction } from "../../store/database.ts";
import {
  countWaitingMails,
  forgetMails,
  type MailOutcome,
  noteMail,
  type ReportMailRow,
  reportMails,
  sentReportTimes,
} from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import { planById, receiversOf } from "../../store/notifications/planned-reports.ts";
import type { MailProblem } from "../mail/mail.ts";
import type { AddressedLetter, LetterKind, SendWaiting, Written } from "../mail-queue/letter-kind.ts";
import { type MailerOptions, type MailerTimes, startMailer } from "../mail-queue/mailer.ts";
import { unsubscribeUrl } from "../mail-queue/unsubscribe-token.ts";
import { type LetterDeps, makeLetter } from "./make-letter.ts";
import { writeReports } from "./write-reports.ts";

/** Why a report was not sent, besides what the mail server says: it could not be made, the person sees no vehicle of it, or not its fence, or has not confirmed the address. */
export type ReportProblem = MailProblem | "not_made" | "no_vehicles" | "unconfirmed";

interface ReportMailerOptions extends MailerOptions {
  readonly api: Pick<Api, "answerViewer">;
}

/** A report is made first, and the server may take its time. */
const usualTimes: MailerTimes = {
  pauseMs: 5_000,
  measureMs: 15_000,
  claimMs: 10 * 60_000,
  lease: undefined,
  mail: { stepMs: 30_000, waitMs: 120_000 },
};

/** A report that takes longer is given up for now. The rest of the claim is for handing it over. */
const makingShare = 0.6;

/** Mails reports that people have planned. */
export function startReportMailer({ api, ...options }: ReportMailerOptions): () => Promise<void> {
  return startMailer("reports", options, usualTimes, (deps) => new ReportMails({ ...deps, api }));
}

interface MadeReportLetter extends AddressedLetter {
  readonly rowCount: number;
}

class ReportMails implements LetterKind<ReportMailRow, MadeReportLetter> {
  readonly queue = reportMails;
  readonly failedFact = "report_failed";
  readonly delayedFact = "reports_delayed";
  readonly #deps: LetterDeps;

  constructor(deps: LetterDeps) {
    this.#deps = deps;
  }

  async pass(send: SendWaiting): Promise<void> {
    await writeReports(this.#deps.database, await this.#deps.now());
    await send(null);
  }

  async write(mail: ReportMailRow, now: number, stop: AbortSignal): Promise<Written<MadeReportLetter>> {
    const { database, observe } = this.#deps;
    const { account_id, user_id } = mail;
    // Those that waited for the mail server, or until the address was confirmed, are due all at once.
    const sent = await sentReportTimes(database, account_id, now - longestLimitMs);
    const allowedAt = nextAllowedTo(user_id, sent, now);
    if (allowedAt > now) return { kind: "later", at: allowedAt, problem: null };
    try {
      return await this.#writeNow(mail, now, stop);
    } catch (cause) {
      if (stop.aborted) return { kind: "stopped" };
      observe({ kind: "maintenance_failed", task: "report", cause });
      return { kind: "failed", problem: "not_made" };
    }
  }

  async #writeNow(mail: ReportMailRow, now: number, stop: AbortSignal): Promise<Written<MadeReportLetter>> {
    const { database, claimMs } = this.#deps;
    const { account_id: accountId, user_id: userId, report_id: reportId } = mail;
    const [person] = await notifiablePeople(database, accountId, userId);
    const plan = await planById(database, accountId, reportId);
    const receivers = await receiversOf(database, accountId, reportId);
    const isWanted = receivers.some(({ user_id, stopped_at }) => user_id === userId && stopped_at === null);
    if (person === undefined || plan === null || !isWanted) return { kind: "nothing", problem: null };
    if (person.is_confirmed === 0) return { kind: "unconfirmed" };
    const url = await unsubscribeUrl(this.#deps, { userId, choiceId: reportId });
    const days = { from: mail.from_day, to: mail.to_day };
    const made = await inTime(claimMs * makingShare, stop, (ending) =>
      makeLetter(this.#deps, { plan, person, days, unsubscribeUrl: url, now, stop: ending }),
    );
    if (made === null) return { kind: "nothing", problem: "no_vehicles" };
    return { kind: "letter", person, unsubscribeUrl: url, ...made };
  }

  note(tx: Transaction, mail: ReportMailRow, outcome: MailOutcome, written: Written<MadeReportLetter>): Promise<void> {
    return noteMail(tx, reportMails, mail, outcome, written.kind === "letter" ? written.rowCount : 0);
  }

  sentFact({ rowCount }: MadeReportLetter): Observation {
    return { kind: "report_sent", rows: rowCount };
  }

  async measure(): Promise<Observation> {
    return { kind: "reports_measured", mails: await countWaitingMails(this.#deps.database, reportMails, null) };
  }

  async forget(before: number, now: number): Promise<void> {
    await this.#deps.database.transaction(async (tx) => {
      await forgetMails(tx, reportMails, null, before);
      await forgetOldConfirmations(tx, now);
    });
  }
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
