import { typeWords } from "../../both-sides/alerts/alert-words.ts";
import type { NotificationRecord, NotificationsAnswer } from "../../both-sides/contract/notifications.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";
import { Check } from "../common/fields/check.tsx";
import { useSession } from "../common/session.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { isMailed, type RuleAlerts, ruleMailOf } from "./rule-mail.ts";

interface MailFieldsProps {
  readonly alerts: RuleAlerts;
  readonly mails: NotificationsAnswer;
  /** What the person has changed, by whose mails. */
  readonly wishes: ReadonlyMap<string, boolean>;
  readonly onWish: (userId: string, isWanted: boolean) => void;
}

/** Who is mailed of what the rule raises: oneself, and others. */
export function MailFields({ alerts, mails, wishes, onWish }: MailFieldsProps) {
  const { rules, notifications, show } = useAdministrationTexts();
  const words = rules.mail;
  const { user } = useSession();
  const me = mails.people.find(({ user_id }) => user_id === user.user_id);
  const others = mails.people
    .filter((person) => person !== me)
    .toSorted((one, other) => show.compare(one.name, other.name));
  const box = (userId: string, text: string) => (
    <PersonMail
      key={userId}
      userId={userId}
      text={text}
      alerts={alerts}
      choices={mails.data}
      wish={wishes.get(userId)}
      onWish={onWish}
    />
  );
  const isWished = ({ user_id }: { readonly user_id: string }) =>
    wishes.get(user_id) ?? isMailed(ruleMailOf(alerts, choicesOf(mails.data, user_id)));
  const count = others.filter(isWished).length;
  const needsConfirmation = mails.people.some((person) => person.needs_confirmation && isWished(person));
  if (!mails.sends_mail) return <p className="hint">{notifications.noMail}</p>;
  return (
    <fieldset className="rule-mail column gap-2 fit">
      <legend className="visually-hidden">{words.title}</legend>
      {me !== undefined && box(me.user_id, words.me)}
      {others.length > 0 && (
        <details>
          <summary>{count === 0 ? words.others : `${words.others} (${show.number(count)})`}</summary>
          <div className="column gap-2">
            {others.map((one) =>
              box(one.user_id, one.needs_confirmation ? notifications.unconfirmed(one.name) : one.name),
            )}
          </div>
        </details>
      )}
      {needsConfirmation && <p className="hint">{notifications.unconfirmedWhat}</p>}
    </fieldset>
  );
}

function choicesOf(choices: readonly NotificationRecord[], userId: string) {
  return choices.filter(({ user_id }) => user_id === userId);
}

interface PersonMailProps extends Pick<MailFieldsProps, "alerts" | "onWish"> {
  readonly userId: string;
  readonly text: string;
  readonly choices: readonly NotificationRecord[];
  readonly wish: boolean | undefined;
}

function PersonMail({ userId, text, alerts, choices, wish, onWish }: PersonMailProps) {
  const texts = useAdministrationTexts();
  const mail = ruleMailOf(alerts, choicesOf(choices, userId));
  const { elsewhere } = mail;
  const shown = elsewhere === null ? text : `${text} (${texts.rules.mail.elsewhere(titleOf(elsewhere, texts))})`;
  return (
    <Check
      text={shown}
      checked={elsewhere !== null || (wish ?? isMailed(mail))}
      disabled={elsewhere !== null}
      onChange={(isWanted) => onWish(userId, isWanted)}
    />
  );
}

function titleOf({ alert_types }: NotificationRecord, { notifications, alerts }: AdministrationTexts & Texts): string {
  return alert_types === null ? notifications.allAlerts : alert_types.map((type) => typeWords(type, alerts)).join(", ");
}
