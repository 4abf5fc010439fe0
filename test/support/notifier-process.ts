import { startNotifier } from "../../src/portal/notifications/notifier.ts";
import { openDatabase } from "../../src/store/open.ts";
import { mailTo, publicUrl } from "./notified-fleet.ts";

/** A node that can be killed: it notifies from the store and over the mail server of its arguments. */
const [target = "", port = ""] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(target), { create: false, observe: () => {} });
const times = { pauseMs: 10, claimMs: 1_000, lease: { renewMs: 100, validMs: 1_000 } };
startNotifier({ database, mail: mailTo(Number(port)), publicUrl, observe: () => {}, times });
