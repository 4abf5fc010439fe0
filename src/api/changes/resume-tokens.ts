import type { Visibility } from "../../domain/visibility.ts";
import type { Seals } from "../input/sealed.ts";

/** What `resume_after` says. */
export type Resumed =
  /** The number of the last change that the follower has. */
  | { readonly number: number }
  /** It was ours, but its numbers mean something else by now. */
  | "expired"
  /** Nobody gave it to this viewer. */
  | null;

/**
 * `resume_after`: a number of the account's changes, sealed for one viewer. (How often others' vehicles report is none of
 * a sub-account's business.)
 *
 * It names the epoch of the store: one that was restored from a backup counts on from an earlier number, and would give
 * the same numbers to other changes. And it names the viewer's role: an owner and a sub-account see different fleets.
 */
export class ResumeTokens {
  readonly #seals: Seals;
  readonly #epoch: string;

  constructor(seals: Seals, epoch: string) {
    this.#seals = seals;
    this.#epoch = new Bun.CryptoHasher("sha256").update(epoch).digest("hex").slice(0, 8);
  }

  encode(visibility: Visibility, number: number): string {
    return this.#seals.seal(holderOf(visibility), `${this.#contextOf(visibility)} ${number}`);
  }

  decode(visibility: Visibility, text: string): Resumed {
    const opened = this.#seals.open(holderOf(visibility), text);
    if (opened === null) return null;
    const at = opened.lastIndexOf(" ");
    return opened.slice(0, at) === this.#contextOf(visibility) ? { number: Number(opened.slice(at + 1)) } : "expired";
  }

  #contextOf(visibility: Visibility): string {
    return `${this.#epoch} ${visibility.sees}`;
  }
}

function holderOf({ userId }: Visibility): string {
  return `resume ${userId}`;
}
