import { buttonBlock, composed, type Letter, paragraphBlocks } from "./compose.ts";
import { shownName } from "./free-text.ts";
import { type LetterLanguage, letterTexts } from "./letter-texts.ts";

export interface LetterContent {
  readonly purpose: "invitation" | "reset";
  /** Whether the person has confirmed the address. Others may know nothing of us: only an invitation has names for them. */
  readonly isConfirmed: boolean;
  readonly name: string;
  readonly accountName: string;
  /** Who invites; null: the person asked for the mail. */
  readonly invitedBy: string | null;
  readonly address: string;
  readonly expiresAt: number;
  /** The IANA name. */
  readonly timeZone: string;
}

const locales: Readonly<Record<LetterLanguage, string>> = { en: "en-GB", es: "es", pt: "pt-BR", de: "de" };

/** A mail with one link. */
export function letterOf(content: LetterContent, language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const { purpose, address, isConfirmed } = content;
  const accountName = shownName(content.accountName);
  const invitedBy = content.invitedBy === null ? null : shownName(content.invitedBy);
  const isInvitation = purpose === "invitation";
  const greeting = isInvitation || isConfirmed ? words.greetingOf(shownName(content.name)) : words.greeting;
  const reset = isConfirmed ? words.reset(accountName) : words.resetOfAny;
  const about = isInvitation ? words.invited(accountName, invitedBy) : reset;
  const action = isInvitation ? words.accept : words.choose;
  const validity = words.validUntil(momentOf(content, language));
  const last = isInvitation ? words.notExpected : words.notAsked;
  const subject = isInvitation ? words.invitationSubject(accountName) : words.resetSubject;
  const blocks = [
    ...paragraphBlocks(greeting, about),
    buttonBlock([action, address]),
    ...paragraphBlocks(validity, last),
  ];
  // An invitation begins with our own words: it goes to people who may know nothing of the account.
  const sender = !isInvitation && isConfirmed ? accountName : null;
  return composed({ subject, language, sender, title: titleOf(subject), blocks });
}

export type ConfirmationContent = Pick<LetterContent, "address" | "expiresAt" | "timeZone">;

/** With the link that confirms an address. It goes to people who may know nothing of us, so no text of anybody else is in it. */
export function confirmationLetter(content: ConfirmationContent, language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const { address } = content;
  const validity = words.validFor(momentOf(content, language));
  const blocks = [
    ...paragraphBlocks(words.greeting, words.confirm),
    buttonBlock([words.confirmAction, address]),
    ...paragraphBlocks(validity, words.notConfirmed),
  ];
  const subject = words.confirmSubject;
  return composed({ subject, language, sender: null, title: titleOf(subject), blocks });
}

/** To the address that a person had before. It names neither the new one nor anything that people chose. */
export function emailChangedLetter(language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const blocks = paragraphBlocks(words.greeting, words.emailChanged, words.notChanged);
  const subject = words.emailChangedSubject;
  return composed({ subject, language, sender: null, title: titleOf(subject), blocks });
}

function momentOf({ expiresAt, timeZone }: ConfirmationContent, language: LetterLanguage): string {
  const form = new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeStyle: "short", timeZone });
  return `${form.format(expiresAt)} (${timeZone})`;
}

/** A subject says first who writes, which in the mail stands above it. */
function titleOf(subject: string): string {
  const title = subject.replace(/^Odograph: /, "");
  return title.charAt(0).toUpperCase() + title.slice(1);
}
