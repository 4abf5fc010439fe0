import { createRequestedLink } from "../../access/password-links.ts";
import type { Observe } from "../../observe/observation.ts";
import { linkedUser, type SignInRow, signInByEmail } from "../../store/access/sign-ins.ts";
import type { Database } from "../../store/database.ts";
import type { LetterLanguage } from "./letter-texts.ts";
import { addressee, linkLetter } from "./link-letter.ts";
import type { Mail } from "./mail.ts";

interface LinkMailDeps {
  readonly database: Database;
  readonly mail: Mail;
  readonly publicUrl: string;
  readonly observe: Observe;
}

interface Wish {
  readonly email: string;
  /** Of the page; what is known of the person is above it: anybody may ask in their name. */
  readonly language: LetterLanguage | null;
  readonly now: number;
}

const usualTickMs = 2_000;
const perTick = 5;
/** Beyond, wishes are dropped: people request another. */
const maxWaiting = 1_000;

/** Stands in for a person whom nobody knows. */
const nobody = {
  id: "00000000-0000-4000-8000-000000000000",
  account_id: 0,
  is_confirmed: 1,
  name: "nobody",
  email: "nobody",
  account_uuid: "00000000-0000-4000-8000-000000000000",
  account_name: "nobody",
  time_zone: "UTC",
  spoken_language: null,
};

/**
 * Mails links to those who have forgotten their password. The person who requests one must not learn whether anybody has
 * an e-mail, neither by an answer nor by how busy the server is afterwards. So the work is done later, at ticks that do
 * not depend on the request, and an e-mail that nobody has is as much work: the same queries, a transaction that writes, a
 * conversation with the mail server.
 */
export class RequestedLinks {
  readonly #deps: LinkMailDeps;
  readonly #tickMs: number;
  readonly #waiting: (Wish & { readonly since: number })[] = [];
  #isTicking = false;

  constructor(deps: LinkMailDeps, tickMs = usualTickMs) {
    this.#deps = deps;
    this.#tickMs = tickMs;
  }

  add(wish: Wish): void {
    if (this.#waiting.length >= maxWaiting) return;
    this.#waiting.push({ ...wish, since: performance.now() });
    this.#tickLater();
  }

  /** Ticks are multiples of the same time, whenever one is requested. */
  #tickLater(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    const timer = setTimeout(() => this.#tick(), this.#tickMs - (performance.now() % this.#tickMs));
    timer.unref();
  }

  #tick(): void {
    this.#isTicking = false;
    // At least a whole tick later, so that what directly follows a request is not slower for it.
    const before = performance.now() - this.#tickMs;
    const waited = this.#waiting.filter(({ since }) => since <= before).length;
    for (const wish of this.#waiting.splice(0, Math.min(waited, perTick))) {
      this.#fulfil(wish).catch((cause) => {
        this.#deps.observe({ kind: "maintenance_failed", task: "mailing a link", cause });
      });
    }
    if (this.#waiting.length > 0) this.#tickLater();
  }

  async #fulfil({ email, language, now }: Wish): Promise<void> {
    const { database, mail } = this.#deps;
    const found = await signInByEmail(database, email);
    const user = found !== null && mayEnter(found) ? found : null;
    const link = await database.transaction((tx) => createRequestedLink(tx, user, now));
    const person = await linkedUser(database, user?.id ?? nobody.id);
    const content = { link, invitedBy: null, otherwise: language ?? "en" } as const;
    const letter = await linkLetter(this.#deps, { user: user ?? nobody, person: person ?? nobody, ...content });
    // An owner may have entered the addresses of strangers, and can ask in their name.
    const isOne = person !== null && user !== null;
    const mayBeMailed = isOne && (person.is_confirmed === 1 || mail.requested.take(person.email, user.account_id, now));
    await (mayBeMailed ? mail.send(addressee(user.account_id, person, link), letter) : mail.sendNothing());
  }
}

function mayEnter({ user_status, account_status }: SignInRow): boolean {
  return user_status === "active" && account_status === "active";
}
