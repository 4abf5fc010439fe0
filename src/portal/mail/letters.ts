import { shownName } from "./free-text.ts";
import { type LetterLanguage, letterTexts } from "./letter-texts.ts";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string;
  readonly content: string;
  readonly contentType: string;
}

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

/** A mail with one link, as plain text and as simple HTML without pictures: nothing in it is loaded from anywhere. */
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
  const lines = [greeting, `${about} ${action}:`, address, validity, last];
  const paragraphs = [
    escaped(greeting),
    escaped(about),
    `<a href="${escaped(address)}">${escaped(action)}</a>`,
    escaped(validity),
    escaped(last),
  ];
  const subject = isInvitation ? words.invitationSubject(accountName) : words.resetSubject;
  return letterWith(subject, lines, paragraphs, language);
}

export type ConfirmationContent = Pick<LetterContent, "address" | "expiresAt" | "timeZone">;

/** With the link that confirms an address. It goes to people who may know nothing of us, so no text of anybody else is in it. */
export function confirmationLetter(content: ConfirmationContent, language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const { address } = content;
  const validity = words.validFor(momentOf(content, language));
  const lines = [words.greeting, `${words.confirm} ${words.confirmAction}:`, address, validity, words.notConfirmed];
  const link = `<a href="${escaped(address)}">${escaped(words.confirmAction)}</a>`;
  const paragraphs = [words.greeting, words.confirm, link, escaped(validity), words.notConfirmed];
  return letterWith(words.confirmSubject, lines, paragraphs, language);
}

/** To the address that somebody had before. It names neither the new one nor anything that people chose. */
export function emailChangedLetter(language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const lines = [words.greeting, words.emailChanged, words.notChanged];
  return letterWith(words.emailChangedSubject, lines, lines.map(escaped), language);
}

function momentOf({ expiresAt, timeZone }: ConfirmationContent, language: LetterLanguage): string {
  const form = new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeStyle: "short", timeZone });
  return `${form.format(expiresAt)} (${timeZone})`;
}

function letterWith(
  subject: string,
  lines: readonly string[],
  paragraphs: readonly string[],
  language: LetterLanguage,
): Letter {
  const body = [...paragraphs, "Odograph"].map((line) => `<p>${line}</p>`).join("");
  return {
    subject,
    text: `${[...lines, "Odograph"].join("\n\n")}\n`,
    html: `<!doctype html><html lang="${language}"><body>${body}</body></html>`,
  };
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
