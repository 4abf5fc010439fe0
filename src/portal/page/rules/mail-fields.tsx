import { typeWords } from "../../both-sides/alerts/alert-words.ts";
import type {
  MailablePerson,
  NotificationRecord,
  NotificationsAnswer,
} from "../../both-sides/contract/notifications.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";
import { Check } from "../common/fields/check.tsx";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useSession } from "../common/session.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { isMailed, type RuleAlerts, ruleMailOf } from "./rule-mail.ts";
import type { SilentMails } from "./use-rule-mails.ts";

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
  const box = (person: MailablePerson, text: string) => (
    <PersonMail
      key={person.user_id}
      userId={person.user_id}
      text={text}
      // What others wish says nothing then.
      isRefused={person !== me && person.is_unsubscribed}
      alerts={alerts}
      choices={mails.data}
      wish={wishes.get(person.user_id)}
      onWish={onWish}
    />
  );
  const nameOf = ({ name, is_unsubscribed, needs_confirmation }: MailablePerson) => {
    if (is_unsubscribed) return words.unsubscribed(name);
    return needs_confirmation ? notifications.unconfirmed(name) : name;
  };
  const isWished = ({ user_id }: { readonly user_id: string }) =>
    wishes.get(user_id) ?? isMailed(ruleMailOf(alerts, choicesOf(mails.data, user_id)));
  const count = others.filter(isWished).length;
  const needsConfirmation = mails.people.some((person) => person.needs_confirmation && isWished(person));
  if (!mails.sends_mail) return <p className="hint">{notifications.noMail}</p>;
  return (
    <fieldset className="rule-mail column gap-2 fit">
      <legend className="visually-hidden">{words.title}</legend>
      {me !== undefined && box(me, words.me)}
      {others.length > 0 && (
        <details>
          <summary>{count === 0 ? words.others : `${words.others} (${show.number(count)})`}</summary>
          <div className="rule-mail-others column gap-2">{others.map((one) => box(one, nameOf(one)))}</div>
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
  readonly isRefused: boolean;
  readonly choices: readonly NotificationRecord[];
  readonly wish: boolean | undefined;
}

function PersonMail({ userId, text, isRefused, alerts, choices, wish, onWish }: PersonMailProps) {
  const texts = useAdministrationTexts();
  const mail = ruleMailOf(alerts, choicesOf(choices, userId));
  const { elsewhere } = mail;
  const shown = elsewhere === null ? text : `${text} (${texts.rules.mail.elsewhere(titleOf(elsewhere, texts))})`;
  return (
    <Check
      text={shown}
      checked={elsewhere !== null || (wish ?? isMailed(mail))}
      disabled={elsewhere !== null || (isRefused && !isMailed(mail))}
      onChange={(isWanted) => onWish(userId, isWanted)}
    />
  );
}

interface MailEffectProps {
  readonly ending: readonly MailablePerson[];
  readonly silent: SilentMails | null;
  readonly error: unknown;
}

/** Who would not be mailed any more, and to whom nothing would ever be mailed. */
export function MailEffect({ ending, silent, error }: MailEffectProps) {
  const { rules, show } = useAdministrationTexts();
  const words = rules.mail;
  const { user } = useSession();
  const named = (people: readonly MailablePerson[]) => {
    const names = people
      .map(({ user_id, name }) => (user_id === user.user_id ? words.you : name))
      .toSorted(show.compare);
    return names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ", …" : "");
  };
  return (
    <>
      {ending.length > 0 && <p className="question">{words.ends(named(ending))}</p>}
      {silent !== null && (
        <Notice kind="error">
          {silent.seeNothing
            ? words.noneSeen(silent.people.length, named(silent.people))
            : words.noneRaised(named(silent.people))}
        </Notice>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}

/** More names than anybody reads in a row. */
const maxNamed = 5;

function titleOf({ alert_types }: NotificationRecord, { notifications, alerts }: AdministrationTexts & Texts): string {
  return alert_types === null ? notifications.allAlerts : alert_types.map((type) => typeWords(type, alerts)).join(", ");
}
