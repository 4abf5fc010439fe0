import { createTransport } from "nodemailer";
import type { Observe } from "../../observe/observation.ts";
import type { Letter } from "./compose.ts";
import { shownName } from "./free-text.ts";
import { MailAllowances, ofLinks, ofNotices, ofUnconfirmedNotices } from "./mail-allowances.ts";
import type { MailBox, MailRecipient } from "./mail-box.ts";
import type { SmtpAddress } from "./smtp-address.ts";

export interface MailSettings {
  /** Null: there is no server, and only accounts whose mails are kept have any. */
  readonly smtp: SmtpAddress | null;
  readonly password: string | null;
  /** The sender, such as `Fleet <fleet@example.com>`. */
  readonly from: string;
}

/** Why a mail was not handed over, as the page says it: the operator finds more in the log. */
export type MailProblem =
  | "unreachable"
  | "sign_in_refused"
  | "address_refused"
  | "refused"
  | "deferred"
  | "busy"
  | "too_many";

/** What a program reads of a mail, besides its text. */
export interface MailEnvelope {
  /** The same each time that the same mail is sent: a mailbox may show it once. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long things take. Tests have less patience. */
export interface MailPace {
  /** For each step of the conversation. */
  readonly stepMs: number;
  /** For the caller who waits. The mail may still be handed over later. */
  readonly waitMs: number;
}

/** Below the portal's deadline for a request. */
const usualPace: MailPace = { stepMs: 5_000, waitMs: 7_000 };

/** A mail server that hangs must not collect connections. */
const maxAtOnce = 20;

/** Hands mails over to the operator's server. Nothing is tried again: the person sees the failure and requests another mail. */
export class Mail {
  /** Of mails that an owner has sent to others. */
  readonly links = new MailAllowances(ofLinks);
  /** Of links that were requested on the sign-in page, to addresses that are not confirmed. */
  readonly requested = new MailAllowances(ofLinks);
  /** Of mails that are notices of what happened. */
  readonly notices = new MailAllowances(ofNotices);
  /** Of those to addresses that are not confirmed. */
  readonly unconfirmedNotices = new MailAllowances(ofUnconfirmedNotices);
  /** Of those that people send themselves to see whether mails arrive. */
  readonly tests = new MailAllowances(ofLinks);
  readonly #settings: MailSettings;
  readonly #observe: Observe;
  readonly #pace: MailPace;
  readonly #box: MailBox | null;
  /** Null: there is no server. */
  readonly #transport: ReturnType<typeof createTransport> | null;
  #sending = 0;

  constructor(settings: MailSettings, observe: Observe, pace: MailPace = usualPace, box: MailBox | null = null) {
    const { smtp, password } = settings;
    this.#settings = settings;
    this.#observe = observe;
    this.#pace = pace;
    this.#box = box;
    this.#transport =
      smtp &&
      createTransport({
        host: smtp.host,
        port: smtp.port,
        secure: smtp.isTlsFromStart,
        requireTLS: !smtp.isTlsFromStart && !smtp.mayBePlain,
        tls: { rejectUnauthorized: !smtp.mayBePlain },
        connectionTimeout: pace.stepMs,
        greetingTimeout: pace.stepMs,
        socketTimeout: pace.stepMs,
        dnsTimeout: pace.stepMs,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(smtp.user === null ? {} : { auth: { user: smtp.user, pass: password ?? "" } }),
      });
  }

  /** Null: the server has taken it. */
  async send(to: MailRecipient, letter: Letter, envelope: MailEnvelope = {}): Promise<MailProblem | null> {
    if (await this.#box?.take(to, letter, Date.now())) return null;
    const transport = this.#transport;
    // Of an account whose mails are not kept: it waits alone, and keeps none of the others waiting.
    if (transport === null) return "deferred";
    const { subject, text, html } = letter;
    const { from } = this.#settings;
    const { id = crypto.randomUUID(), headers = {} } = envelope;
    const message = {
      from,
      to: { name: shownName(to.name), address: to.email },
      messageId: `<${id}@${domainOf(from)}>`,
      headers: { ...headers },
      attachments: [...(letter.attachments ?? [])],
    };
    return this.#inTime(() => transport.sendMail({ ...message, subject, text, html }));
  }

  /** Does what it takes to hand a mail over, up to the mail itself. */
  async sendNothing(): Promise<MailProblem | null> {
    const transport = this.#transport;
    return transport === null ? "unreachable" : this.#inTime(() => transport.verify());
  }

  #inTime(talk: () => Promise<unknown>): Promise<MailProblem | null> {
    if (this.#sending >= maxAtOnce) return Promise.resolve("busy");
    this.#sending++;
    const sent = talk()
      .then(() => null)
      .catch((error: SmtpError) => this.#failed(error))
      .finally(() => this.#sending--);
    const { promise: late, resolve } = Promise.withResolvers<MailProblem>();
    const timer = setTimeout(() => resolve("unreachable"), this.#pace.waitMs);
    // A timer that is left would delay the exit.
    return Promise.race([sent, late]).finally(() => clearTimeout(timer));
  }

  /** The server's own words may hold an address, so only its numbers are logged. */
  #failed({ code = "UNKNOWN", responseCode }: SmtpError): MailProblem {
    this.#observe({ kind: "mail_failed", code: responseCode === undefined ? code : `${code} ${responseCode}` });
    const isForNow = responseCode !== undefined && responseCode < 500;
    switch (code) {
      case "EAUTH":
        return "sign_in_refused";
      case "EENVELOPE":
        return isForNow ? "deferred" : "address_refused";
      case "EMESSAGE":
        return isForNow ? "deferred" : "refused";
      default:
        return "unreachable";
    }
  }
}

/** Mail servers that look at it expect the sender's, as that is who vouches for the mail. */
function domainOf(from: string): string {
  const address = `http://${/@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? ""}`;
  // In ASCII, whatever letters the name has.
  return URL.canParse(address) ? new URL(address).hostname : "localhost";
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
}
