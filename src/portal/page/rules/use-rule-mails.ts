import { useState } from "react";
import type { Severity } from "../../../domain/alert-types.ts";
import type {
  MailablePerson,
  NotificationRecord,
  NotificationsAnswer,
} from "../../both-sides/contract/notifications.ts";
import { getJson } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { useSession } from "../common/session.ts";
import { feedsOfRule, isMailed, type RuleAlerts, ruleMailOf, startMailing, stopMailing } from "./rule-mail.ts";

/** Whom nothing of a rule would ever be mailed to, although somebody wishes it. */
export interface SilentMails {
  readonly people: readonly MailablePerson[];
  /** They see none of the vehicles; else the rule raises nothing for these vehicles. */
  readonly seeNothing: boolean;
}

interface RuleMailsProps {
  readonly mails: NotificationsAnswer | null;
  /** Who is to be mailed, and who no longer. */
  readonly wishes: ReadonlyMap<string, boolean>;
  readonly onWishes: (wishes: ReadonlyMap<string, boolean>) => void;
  /** What the rule is about, with the severities that it raises now and those that it would raise. */
  readonly alerts: Pick<RuleAlerts, "type" | "scope">;
  readonly severitiesNow: readonly Severity[];
  /** Null: the form is not complete. */
  readonly severities: readonly Severity[] | null;
}

/** Whom a rule mails: what the person wishes while they edit it, and what becomes of that when it is stored. */
export function useRuleMails({ mails, wishes, onWishes, alerts, severitiesNow, severities }: RuleMailsProps) {
  const { user } = useSession();
  const [silent, setSilent] = useState<SilentMails | null>(null);
  const { submit, error, isBusy } = useSubmit();
  const people = mails?.people ?? [];
  const named = (ids: readonly string[]) => people.filter(({ user_id }) => ids.includes(user_id));
  const isMailedWith = (userId: string, raised: readonly Severity[]) =>
    raised.length > 0 && isMailed(ruleMailOf({ ...alerts, severities: raised }, ofPerson(mails?.data ?? [], userId)));
  const wish = (userId: string, isWanted: boolean) => {
    onWishes(new Map([...wishes, [userId, isWanted]]));
    setSilent(null);
  };
  /** Before anything is stored: whether all see vehicles that the rule is for. */
  const check = async (): Promise<boolean> => {
    const blind: string[] = [];
    const isDone = await submit(async () => {
      const others = [...wishes].flatMap(([id, isWanted]) => (isWanted && id !== user.user_id ? [id] : []));
      for (const id of severities?.length ? others : []) {
        if ((await feedsOfRule(id, alerts.scope)).vehicles === 0) blind.push(id);
      }
    });
    setSilent(blind.length === 0 ? null : { people: named(blind), seeNothing: true });
    return isDone && blind.length === 0;
  };
  /** Once the rule is stored. Returns whether all is as the person wishes. */
  const store = async (): Promise<boolean> => {
    const unfed: string[] = [];
    const isDone = await submit(async () => {
      const { data } = await getJson("GET /notifications");
      for (const [userId, isWanted] of severities?.length ? wishes : []) {
        const own = ofPerson(data, userId);
        const raised = { ...alerts, severities: severities ?? [] };
        const mail = ruleMailOf(raised, own);
        if (!isWanted) await stopMailing(mail, alerts.type);
        else if (!isMailed(mail) && !(await startMailing(userId, raised, own))) unfed.push(userId);
      }
    });
    setSilent(unfed.length === 0 ? null : { people: named(unfed), seeNothing: false });
    if (unfed.length > 0) onWishes(new Map([...wishes].filter(([id]) => !unfed.includes(id))));
    return isDone && unfed.length === 0;
  };
  /** Who is mailed of these alerts now, and would not be any more. */
  const ending =
    severities === null
      ? []
      : people.filter(
          ({ user_id }) =>
            isMailedWith(user_id, severitiesNow) &&
            !isMailedWith(user_id, severities) &&
            !(severities.length > 0 && wishes.get(user_id)),
        );
  return { wish, check, store, ending, silent, error, isBusy };
}

function ofPerson(choices: readonly NotificationRecord[], userId: string): readonly NotificationRecord[] {
  return choices.filter(({ user_id }) => user_id === userId);
}
