import type { Visibility } from "../../domain/visibility.ts";
import type { Seals } from "../input/sealed.ts";
import type { WalkPlace } from "./place.ts";

/** What `resume_after` says. */
export type Resumed =
  /** The number of the last change that the follower has, and how far it has come in the next one, if it has begun that. */
  | {
      readonly number: number;
      readonly place: WalkPlace | null;
      /** Up to which number it knows which devices came back into its sight. */
      readonly sightUntil: number;
    }
  /** It was ours, but its numbers mean something else by now. */
  | "expired"
  /** It was not made for this viewer. */
  | null;

type Content = [number, (WalkPlace | null)?, number?];

/**
 * `resume_after`: a number of the account's changes, sealed for one viewer. (How often others' vehicles report is none of
 * a sub-account's business.)
 *
 * It names the epoch of the store: one that was restored from a backup counts on from an earlier number, and would give
 * the same numbers to other changes. And it names the viewer's role: an owner and a sub-account see different fleets.
 *
 * That of a page which ends within a change also names the place. One change may have more records than a page: who goes on
 * with this token alone, and never with the cursor, must get on as well.
 *
 * A device's record has the number of its last change only. One that came back into sight, and changed again while the
 * pages were read, comes with the next round, which must know that the follower missed the return.
 */
export class ResumeTokens {
  readonly #seals: Seals;
  readonly #epoch: string;
  #last: { readonly key: string; readonly resumed: Resumed } = { key: "", resumed: null };

  constructor(seals: Seals, epoch: string) {
    this.#seals = seals;
    this.#epoch = new Bun.CryptoHasher("sha256").update(epoch).digest("hex").slice(0, 8);
  }

  encode(visibility: Visibility, number: number, place: WalkPlace | null = null, sightUntil: number = number): string {
    const content = sightUntil < number ? [number, place, sightUntil] : place === null ? [number] : [number, place];
    return this.#seals.seal(holderOf(visibility), this.#contextOf(visibility) + JSON.stringify(content));
  }

  decode(visibility: Visibility, text: string): Resumed {
    const key = `${visibility.sees} ${visibility.userId} ${text}`;
    // A request opens its token twice: to check it, and to answer.
    if (this.#last.key !== key) this.#last = { key, resumed: this.#open(visibility, text) };
    return this.#last.resumed;
  }

  #open(visibility: Visibility, text: string): Resumed {
    const opened = this.#seals.open(holderOf(visibility), text);
    if (opened === null) return null;
    const context = this.#contextOf(visibility);
    if (!opened.startsWith(context)) return "expired";
    const [number, place = null, sightUntil = number] = JSON.parse(opened.slice(context.length)) as Content;
    return { number, place, sightUntil };
  }

  #contextOf(visibility: Visibility): string {
    return `${this.#epoch} ${visibility.sees} `;
  }
}

function holderOf({ userId }: Visibility): string {
  return `resume ${userId}`;
}
