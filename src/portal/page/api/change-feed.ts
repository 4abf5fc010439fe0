import { to } from "../../both-sides/address.ts";
import type { FollowedChange, FollowedChanges, FollowedType } from "../../both-sides/contract/data.ts";
import { getResponse, PortalError, pollAgainMs } from "./request.ts";

export interface Follower<Type extends FollowedType> {
  /** With what became known since the last answer; null: nobody knows what was missed, all must be loaded again. */
  readonly onNews: (news: readonly FollowedChange<Type>[] | null) => void;
  /** With null when the server answers again. */
  readonly onError?: (error: unknown) => void;
}

/** While nothing happens the answer is 304: it costs the server one number. */
const pollEveryMs = 10_000;

/** After hours in the background it is cheaper to load everything again than to read all that happened. */
const maxPages = 10;

/**
 * What changes, as it becomes known; one poll for all who follow it. Nothing is asked while nobody follows, or while the
 * tab is hidden. To miss nothing: follow it, wait until it has begun, then read what there is.
 */
export class ChangeFeed<Type extends FollowedType> {
  readonly #parameters: { readonly types: string; readonly device_id?: string };
  readonly #followers = new Set<Follower<Type>>();
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resumeAfter: string | null = null;
  #etag: string | null = null;
  #polling: Promise<void> | null = null;
  /** Why the last poll failed; null: it did not. */
  #failure: unknown = null;

  /** Without `device_id`: of all vehicles. */
  constructor({ types, ...vehicle }: { readonly types: readonly Type[]; readonly device_id?: string }) {
    this.#parameters = { types: types.join(","), ...vehicle };
  }

  follow(follower: Follower<Type>): () => void {
    this.#followers.add(follower);
    if (this.#abort === null) this.#start();
    else if (this.#failure !== null) follower.onError?.(this.#failure);
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#stop();
    };
  }

  /**
   * Resolves once nothing new can be missed, and rejects if the server does not answer: what is read then would miss what
   * happens until it does. It waits for those who begin to follow in the same turn.
   */
  async begun(): Promise<void> {
    await Promise.resolve();
    if (this.#resumeAfter !== null) return;
    await this.#poll();
    if (this.#failure !== null) throw this.#failure;
  }

  /** After a change of one's own: the rest of the page learns of it at once. */
  refresh(): void {
    void this.#poll();
  }

  #start(): void {
    this.#abort = new AbortController();
    document.addEventListener("visibilitychange", this.#onVisible);
    void this.#poll();
  }

  /** The next person who signs in must not go on from here. */
  #stop(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#polling = null;
    this.#failure = null;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#resumeAfter = null;
    this.#etag = null;
  }

  readonly #onVisible = (): void => {
    if (document.hidden) clearTimeout(this.#timer);
    else void this.#poll();
  };

  /** A call while a poll is under way waits for that one. Never rejects. */
  #poll(): Promise<void> {
    if (this.#abort === null) return Promise.resolve();
    if (this.#polling === null) {
      clearTimeout(this.#timer);
      const polling = this.#pollOnce(this.#abort.signal).finally(() => {
        if (this.#polling === polling) this.#polling = null;
      });
      this.#polling = polling;
    }
    return this.#polling;
  }

  async #pollOnce(signal: AbortSignal): Promise<void> {
    let waitMs = pollEveryMs;
    try {
      const news = await this.#read(signal);
      if (signal.aborted) return;
      this.#failure = null;
      for (const { onError } of this.#followers) onError?.(null);
      if (news === null || news.length > 0) for (const { onNews } of this.#followers) onNews(news);
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = error;
      if (error instanceof PortalError && error.status === 401) return;
      for (const { onError } of this.#followers) onError?.(error);
      waitMs = pollAgainMs(error, pollEveryMs);
    }
    if (!document.hidden) this.#timer = setTimeout(() => void this.#poll(), waitMs);
  }

  async #read(signal: AbortSignal): Promise<readonly FollowedChange<Type>[] | null> {
    if (this.#resumeAfter === null) {
      this.#resumeAfter = (await this.#page(null, null, signal))?.resume_after ?? null;
      return [];
    }
    try {
      return await this.#readSince(this.#resumeAfter, signal);
    } catch (error) {
      if (!(error instanceof PortalError && error.code === "CURSOR_EXPIRED")) throw error;
      return this.#startAgain(signal);
    }
  }

  async #readSince(after: string, signal: AbortSignal): Promise<readonly FollowedChange<Type>[] | null> {
    const changes: FollowedChange<Type>[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < maxPages; pages++) {
      const page: FollowedChanges<Type> | null = await this.#page(after, cursor, signal);
      if (page === null) return [];
      changes.push(...page.data);
      cursor = page.next_cursor;
      if (cursor === null) {
        if (page.resume_after !== after) this.#etag = null;
        this.#resumeAfter = page.resume_after;
        return changes;
      }
    }
    return this.#startAgain(signal);
  }

  async #startAgain(signal: AbortSignal): Promise<null> {
    this.#etag = null;
    this.#resumeAfter = (await this.#page(null, null, signal))?.resume_after ?? null;
    return null;
  }

  /** Null: nothing has changed. */
  async #page(after: string | null, cursor: string | null, signal: AbortSignal): Promise<FollowedChanges<Type> | null> {
    const isFirst = after !== null && cursor === null;
    const headers: Record<string, string> = isFirst && this.#etag !== null ? { "If-None-Match": this.#etag } : {};
    const target = to("GET /data/changes", { ...this.#parameters, after, cursor });
    const response = await getResponse(target, { signal, headers });
    if (response.status === 304) return null;
    if (isFirst) this.#etag = response.headers.get("ETag");
    return (await response.json()) as FollowedChanges<Type>;
  }
}
