import type { Database } from "../../store/database.ts";
import { isDemoAccount } from "../../store/fleet/demo-accounts.ts";
import { keepMail } from "../../store/notifications/kept-mails.ts";
import type { Letter } from "./compose.ts";

/** Of a server that hands nothing over. */
export const boxOnly = { smtp: null, password: null, from: "Odograph <demo@odograph.example>" } as const;

/** Whom a mail goes to, and for which account. */
export interface MailRecipient {
  readonly accountId: number;
  readonly name: string;
  readonly email: string;
}

/** Where mails of accounts with a made-up fleet go: nobody is mailed of what has not happened. */
export class MailBox {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether the mail was kept, and must not be sent. */
  async take({ accountId, name, email }: MailRecipient, letter: Letter, now: number): Promise<boolean> {
    if (!(await isDemoAccount(this.#database, accountId))) return false;
    const attachments = (letter.attachments ?? []).map(({ filename }) => filename);
    await this.#database.transaction((tx) =>
      keepMail(tx, {
        account_id: accountId,
        id: crypto.randomUUID(),
        name,
        email,
        subject: letter.subject,
        body: letter.text,
        html: letter.html,
        attachments_json: JSON.stringify(attachments),
        kept_at: now,
      }),
    );
    return true;
  }
}
