import { inTime } from "../../http/deadline.ts";
import { asFailure } from "../../http/failures.ts";
import type { Transaction } from "../../store/database.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { usersById } from "../../store/fleet/users.ts";
import { choiceById, type NotificationChoiceRow, stopChoice } from "../../store/notifications/choices.ts";
import { receiversOf, stopReceiving } from "../../store/notifications/planned-reports.ts";
import { noteUnsubscribed, stopWhatOthersChose } from "../../store/notifications/unsubscriptions.ts";
import { noSuch } from "../refusals.ts";
import { refusePortalCall, respondJson } from "../respond.ts";
import type { PortalCall, PortalDeps } from "../route.ts";
import { type Unsubscription, unsubscribePath } from "./unsubscribe-token.ts";

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
    if (user) {
      const whose = { ...named, accountId: user.account_id };
      await inTime(database.transaction((tx) => unsubscribe(tx, whose, call.now)));
    }
    return respondJson({ body: { data: { is_stopped: true } } }, call.request);
  } catch (error) {
    return refusePortalCall(parts, call, asFailure(error), null);
  }
}

interface Unsubscribing extends Unsubscription {
  readonly accountId: number;
}

/** Ends what the mail was about, and keeps others from starting it again. */
async function unsubscribe(tx: Transaction, whose: Unsubscribing, now: number): Promise<void> {
  const { accountId, userId, choiceId } = whose;
  const choice = await choiceById(tx, accountId, choiceId);
  if (choice !== null) return choice.user_id === userId ? stopAlerts(tx, choice, now) : undefined;
  const receivers = await receiversOf(tx, accountId, choiceId);
  if (receivers.some(({ user_id }) => user_id === userId)) return stopReport(tx, whose, now);
  // What the mail was about is gone, or the person was taken out of it. The same may have been made anew.
  await noteUnsubscribed(tx, { accountId, userId, kind: "alerts" }, now);
  await noteUnsubscribed(tx, { accountId, userId, kind: "reports" }, now);
  await stopWhatOthersChose(tx, accountId, userId, now);
}

async function stopAlerts(tx: Transaction, choice: NotificationChoiceRow, now: number): Promise<void> {
  const { account_id: accountId, user_id: userId } = choice;
  await noteUnsubscribed(tx, { accountId, userId, kind: "alerts" }, now);
  if (!(await stopChoice(tx, choice, now))) return;
  const entry = { by: { kind: "stranger" }, action: "notification.stopped", id: userId } as const;
  await addAuditEntries(tx, accountId, [entry], now);
}

async function stopReport(tx: Transaction, { accountId, userId, choiceId }: Unsubscribing, now: number): Promise<void> {
  await noteUnsubscribed(tx, { accountId, userId, kind: "reports" }, now);
  if (!(await stopReceiving(tx, { account_id: accountId, report_id: choiceId, user_id: userId }, now))) return;
  const entry = { by: { kind: "stranger" }, action: "planned_report.stopped", id: choiceId } as const;
  await addAuditEntries(tx, accountId, [entry], now);
}
