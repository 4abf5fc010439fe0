import { forgetOldConfirmations } from "../../access/email-confirmations.ts";
import type { Api } from "../../api/server.ts";
import { Leader } from "../../derive/upkeep/leader.ts";
import { dayMs } from "../../domain/time/time.ts";
import { repeat } from "../../observe/repeat.ts";
import { storeNow } from "../../store/clock.ts";
import { countWaitingReports, forgetReportMails } from "../../store/notifications/report-mails.ts";
import { Mail } from "../mail/mail.ts";
import type { NotifierOptions, NotifierTimes } from "../notifications/notifier.ts";
import { ServerRest } from "../notifications/server-rest.ts";
import { UnsubscribeTokens } from "../notifications/unsubscribe-token.ts";
import { type ReportSendingDeps, sendReports } from "./send-reports.ts";
import { writeReports } from "./write-reports.ts";

export interface ReportMailerOptions extends NotifierOptions {
  readonly api: Pick<Api, "answerViewer">;
}

/** A report is made first, and the server may take its time. The claim lasts longer than both. */
const usualTimes: NotifierTimes = {
  pauseMs: 5_000,
  measureMs: 15_000,
  claimMs: 10 * 60_000,
  lease: undefined,
  mail: { stepMs: 30_000, waitMs: 120_000 },
};

/** What was sent is shown for as long. */
const rememberedMs = 62 * dayMs;

/**
 * Mails reports that people have planned. One node does it for all, by a lease of its own, so that a long report delays no
 * alert. What is due and what was sent is in the store. Returns what ends it.
 */
export function startReportMailer(options: ReportMailerOptions): () => Promise<void> {
  const { database, observe } = options;
  const times = { ...usualTimes, ...options.times };
  const leader = new Leader(database, observe, times.lease, "reports");
  const mailer = new ReportMailer(options, times);
  const end = repeat("reports", times.pauseMs, observe, (stop) =>
    leader.lead(stop, (whileLeading) => mailer.pass(whileLeading)),
  );
  return async () => {
    await end();
    await leader.close().catch((cause) => observe({ kind: "maintenance_failed", task: "leading", cause }));
  };
}

class ReportMailer {
  readonly #deps: ReportSendingDeps;
  readonly #now: () => Promise<number>;
  readonly #measureMs: number;
  /** By the process's own counter. */
  #measuredAt = Number.NEGATIVE_INFINITY;
  #forgotAt = 0;

  constructor(options: ReportMailerOptions, { claimMs, measureMs, mail: pace }: NotifierTimes) {
    const { database, api, mail, publicUrl, observe, streetName = async () => null } = options;
    this.#now = options.now ?? (() => storeNow(database));
    this.#measureMs = measureMs;
    this.#deps = {
      database,
      api,
      mail: new Mail(mail, observe, pace),
      publicUrl,
      tokens: new UnsubscribeTokens(database),
      streetName,
      observe,
      serverRest: new ServerRest(),
      claimMs,
    };
  }

  async pass(stop: AbortSignal): Promise<void> {
    const { database, observe } = this.#deps;
    await writeReports(database, await this.#now());
    await sendReports(this.#deps, this.#now, stop);
    if (performance.now() - this.#measuredAt >= this.#measureMs) {
      observe({ kind: "reports_measured", mails: await countWaitingReports(database) });
      this.#measuredAt = performance.now();
    }
    const now = await this.#now();
    if (Math.abs(now - this.#forgotAt) < dayMs) return;
    this.#forgotAt = now;
    await database.transaction(async (tx) => {
      await forgetReportMails(tx, now - rememberedMs);
      await forgetOldConfirmations(tx, now);
    });
  }
}
