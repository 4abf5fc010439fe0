import { Allowance, type AllowanceRule } from "../../access/allowance.ts";
import { mailboxKey } from "../../access/mailbox.ts";
import { BoundedMap } from "../../domain/bounded-map.ts";
import { dayMs } from "../../domain/time/time.ts";

interface MailRules {
  readonly perRecipient: AllowanceRule;
  readonly perAccount: AllowanceRule;
}

/** Three at once, then three an hour: enough for a person who does not find the first. */
const perRecipient: AllowanceRule = { burst: 3, refillMs: 20 * 60_000 };

/** A company that invites its people, not one that writes to strangers in the operator's name. */
export const ofLinks: MailRules = { perRecipient, perAccount: { burst: 50, refillMs: 72_000 } };

/** Counted apart: a person who sends many links must not be able to stop the notice that an e-mail was changed. */
export const ofNotices: MailRules = { perRecipient, perAccount: { burst: 10, refillMs: 6 * 60_000 } };

/**
 * The same to an address that nobody has confirmed: an owner could enter strangers', one after the other. One is enough for people
 * whose address is from before there was anything to confirm.
 */
export const ofUnconfirmedNotices: MailRules = { perRecipient, perAccount: { burst: 1, refillMs: dayMs } };

const maxRemembered = 20_000;

/**
 * How many mails people may have us send: nobody fills a mailbox, nor writes to ever more. In the memory of this process
 * only.
 */
export class MailAllowances {
  readonly #rules: MailRules;
  readonly #recipients = new BoundedMap<string, Allowance>({ max: maxRemembered });
  readonly #accounts = new BoundedMap<number, Allowance>({ max: maxRemembered });

  constructor(rules: MailRules) {
    this.#rules = rules;
  }

  /** Takes one mail. Returns whether there was one left. */
  take(email: string, accountId: number, now: number): boolean {
    const key = mailboxKey(email);
    const ofRecipient = this.#recipients.get(key) ?? new Allowance(this.#rules.perRecipient, now);
    const ofAccount = this.#accounts.get(accountId) ?? new Allowance(this.#rules.perAccount, now);
    if (ofRecipient.waitMs(now) > 0 || ofAccount.waitMs(now) > 0) return false;
    ofRecipient.take(now);
    ofAccount.take(now);
    this.#recipients.set(key, ofRecipient);
    this.#accounts.set(accountId, ofAccount);
    return true;
  }
}
