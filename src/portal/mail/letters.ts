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
  readonly name: string;
  readonly accountName: string;
  /** Who invites; null: the person asked for the mail. */
  readonly invitedBy: string | null;
  readonly address: string;
  readonly expiresAt: number;
  /** The IANA name. */
  readonly timeZone: string;
}

export interface NoticeContent {
  readonly name: string;
  readonly accountName: string;
}

const locales: Readonly<Record<LetterLanguage, string>> = { en: "en-GB", es: "es", pt: "pt-BR", de: "de" };

/** A mail with one link, as plain text and as simple HTML without pictures: nothing in it is loaded from anywhere. */
export function letterOf(content: LetterContent, language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const { purpose, name, accountName, invitedBy, address } = content;
  const until = new Intl.DateTimeFormat(locales[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: content.timeZone,
  }).format(content.expiresAt);
  const isInvitation = purpose === "invitation";
  const greeting = words.greeting(name);
  const about = isInvitation ? words.invited(accountName, invitedBy) : words.reset(accountName);
  const action = isInvitation ? words.accept : words.choose;
  const validity = words.validUntil(`${until} (${content.timeZone})`);
  const last = isInvitation ? words.notExpected : words.notAsked;
  const lines = [greeting, `${about} ${action}:`, address, validity, last];
  const paragraphs = [
    escaped(greeting),
    `${escaped(about)}`,
    `<a href="${escaped(address)}">${escaped(action)}</a>`,
    escaped(validity),
    escaped(last),
  ];
  const subject = isInvitation ? words.invitationSubject(accountName) : words.resetSubject;
  return letterWith(subject, lines, paragraphs, language);
}

/** To the address that somebody had before. It does not name the new one. */
export function emailChangedLetter({ name, accountName }: NoticeContent, language: LetterLanguage): Letter {
  const words = letterTexts[language];
  const lines = [words.greeting(name), words.emailChanged(accountName), words.notChanged];
  return letterWith(words.emailChangedSubject, lines, lines.map(escaped), language);
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
