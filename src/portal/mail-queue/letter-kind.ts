import type { Observation, Observe } from "../../observe/observation.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { MailOutcome, MailQueue, QueuedMail } from "../../store/notifications/mail-queue.ts";
import type { NotifiablePerson } from "../../store/notifications/people.ts";
import type { Letter } from "../mail/compose.ts";
import type { Mail } from "../mail/mail.ts";
import type { StreetName } from "../mail/place-namer.ts";
import type { UnsubscribeTokens } from "./unsubscribe-token.ts";

/** What sending mails takes, whatever they are about. */
export interface MailerDeps {
  readonly database: Database;
  readonly mail: Mail;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly tokens: UnsubscribeTokens;
  readonly streetName: StreetName;
  readonly observe: Observe;
  readonly now: () => Promise<number>;
  /** How long one node has the right to send a mail. Longer than making and sending one ever takes. */
  readonly claimMs: number;
}

export interface AddressedLetter {
  readonly kind: "letter";
  readonly person: NotifiablePerson;
  readonly letter: Letter;
  readonly unsubscribeUrl: string;
}

/** Stores what a mail has said and what not, in the transaction that notes its outcome. */
export type NoteSaid = (tx: Transaction) => Promise<void>;

/** What a mail says at the moment of sending, or why it does not go out. */
export type Written<Made extends AddressedLetter> =
  | Made
  /** There is nothing to say, or nobody to say it to. */
  | { readonly kind: "nothing"; readonly problem: string | null; readonly noteSaid?: NoteSaid }
  /** The address is not confirmed. */
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "later"; readonly at: number; readonly problem: string | null }
  /** It could not be made: it is tried again. */
  | { readonly kind: "failed"; readonly problem: string }
  /** The node is on its way out. Nothing is noted: the claim ends, and another node goes on. */
  | { readonly kind: "stopped" };

/** Sends what waits, of an account or of all. Returns whether the mail server takes mails, as far as is known. */
export type SendWaiting = (accountId: number | null) => Promise<boolean>;

/** All in which mails of one kind differ from others. */
export interface LetterKind<Row extends QueuedMail, Made extends AddressedLetter> {
  /** Once through all that may be due: puts mails into the queue, and has them sent. */
  pass(send: SendWaiting, stop: AbortSignal): Promise<void>;
  readonly queue: MailQueue<Row>;
  /** To a person who may still sign in and wants it, of what they see now. */
  write(mail: Row, now: number, stop: AbortSignal): Promise<Written<Made>>;
  note(tx: Transaction, mail: Row, outcome: MailOutcome, written: Written<Made>): Promise<void>;
  sentFact(made: Made): Observation;
  readonly failedFact: "notification_failed" | "report_failed";
  readonly delayedFact: "notifications_delayed" | "reports_delayed";
  /** What waits now. */
  measure(): Promise<Observation>;
  /** What was sent before. */
  forget(before: number, now: number, stop: AbortSignal): Promise<void>;
}
