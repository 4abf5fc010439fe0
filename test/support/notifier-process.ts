import { createApi } from "../../src/api/server.ts";
import { startNotifier } from "../../src/portal/notifications/notifier.ts";
import { startReportMailer } from "../../src/portal/planned-reports/report-mailer.ts";
import { openDatabase } from "../../src/store/open.ts";
import { mailTo, publicUrl } from "./notified-fleet.ts";

/** A node that can be killed: it notifies, or mails reports, from the store and over the mail server of its arguments. */
const [target = "", port = "", what = ""] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(target), { create: false, observe: () => {} });
const times = { pauseMs: 10, claimMs: 1_000, lease: { renewMs: 100, validMs: 1_000 } };
const options = { database, mail: mailTo(Number(port)), publicUrl, observe: () => {}, times };
if (what !== "reports") startNotifier(options);
else startReportMailer({ ...options, api: await createApi({ database, counters: database, observe: () => {} }) });
