import { inTime } from "../../http/deadline.ts";
import { asFailure } from "../../http/failures.ts";
import type { Database } from "../../store/database.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { usersById } from "../../store/fleet/users.ts";
import { choiceById, stopChoice } from "../../store/notifications/choices.ts";
import { stopReceiving } from "../../store/notifications/planned-reports.ts";
import { noSuch } from "../refusals.ts";
import { refuse, respondJson } from "../respond.ts";
import type { PortalCall, PortalDeps } from "../route.ts";
import type { Unsubscription } from "./unsubscribe-token.ts";

/** The address in every mail. A `GET` shows the page, which asks first; a program that fetches links ends nothing by it. */
export const unsubscribePath = "/portal/unsubscribe";

/**
 * Ends the mails of a choice or a planned report (RFC 8058): without a session, and for whatever program of the person's sends the request. Only
 * the signature counts. A choice that was ended or removed before is answered in the same way.
 */
export async function answerUnsubscribe(parts: PortalDeps, call: PortalCall): Promise<Response> {
  call.routeName = unsubscribePath;
  const { database } = parts;
  try {
    const token = new URLSearchParams(call.query).get("t") ?? "";
    const named = await inTime(parts.unsubscribeTokens.read(token));
    if (named === null) throw noSuch("link");
    const [user] = await inTime(usersById(database, [named.userId]));
    const choice = user && (await inTime(choiceById(database, user.account_id, named.choiceId)));
    if (user && !choice) await inTime(stopReport(database, user.account_id, named, call.now));
    if (choice?.user_id === named.userId) {
      await inTime(
        database.transaction(async (tx) => {
          if (!(await stopChoice(tx, choice, call.now))) return;
          const entry = { by: { kind: "stranger" }, action: "notification.stopped", id: named.userId } as const;
          await addAuditEntries(tx, choice.account_id, [entry], call.now);
        }),
      );
    }
    return respondJson({ body: { data: { is_stopped: true } } }, call.request);
  } catch (error) {
    return refuse(parts, call, asFailure(error), null);
  }
}

/** The mail was a planned report. */
function stopReport(
  database: Database,
  accountId: number,
  { userId, choiceId }: Unsubscription,
  now: number,
): Promise<void> {
  const receiver = { account_id: accountId, report_id: choiceId, user_id: userId };
  return database.transaction(async (tx) => {
    if (!(await stopReceiving(tx, receiver, now))) return;
    const entry = { by: { kind: "stranger" }, action: "planned_report.stopped", id: choiceId } as const;
    await addAuditEntries(tx, accountId, [entry], now);
  });
}
