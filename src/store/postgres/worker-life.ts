import type { SQL } from "bun";
import { Failure } from "../../domain/errors.ts";
import { beforeDeadline } from "../deadlines.ts";

/**
 * How long a worker that is asked may say nothing. With the second after which a statement is doubted, a frozen worker is found
 * in less than four.
 */
const silenceMs = 2_200;
/** A worker that was silent may be slow to take connections for a while, as one that starts again with many clients. */
const returnMs = 5_000;
/** How often it is asked whether it is back: what was sent while its network was lost may never arrive. */
const askAgainMs = 2_000;
/** By then the coordinator itself ends a question. */
const questionMs = 15_000;

/** On a connection that is to stay: Citus would close the one behind it after ten minutes. */
const keepWays = "set citus.max_cached_connection_lifetime = -1";
const question = "select citus_check_connection_to_node($1::text, $2::int) as answers";

/** Makes a client of one connection to the coordinator, whose statements may take so long. */
export type Connect = (limitMs: number) => SQL;

/**
 * Whether a worker answers the coordinator. Whatever it answers is life: a question over the connection that is kept open for
 * this, one over a new connection, or an ordinary statement. A worker that is late to take new connections, as a busy machine is,
 * still answers on open ones. What it answers a node directly does not count: the coordinator's way to it may be lost all the same.
 */
export class WorkerLife {
  readonly #connect: Connect;
  /** To the coordinator, whose session keeps its own connection to the worker. */
  readonly #open = new Map<string, SQL>();
  /** Who waits for a sign of life. */
  readonly #waiting = new Map<string, () => void>();
  #isClosed = false;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** The worker has answered a statement, through the coordinator. */
  noteAnswer(place: string): void {
    this.#waiting.get(place)?.();
  }

  /** Opens what is missing, and uses the rest, so that nobody between the machines takes it for abandoned. */
  keepOpen(places: ReadonlySet<string>): void {
    for (const place of [...this.#open.keys()]) if (!places.has(place)) this.#abandon(place);
    for (const place of places) void this.#askOpen(place);
  }

  /** False: it has said nothing for as long as it may. One examination of a worker at a time. */
  async isThere(place: string): Promise<boolean> {
    const { promise: life, resolve } = Promise.withResolvers<true>();
    this.#waiting.set(place, () => resolve(true));
    void this.#askOpen(place).then((answers) => answers && resolve(true));
    const isThere = await Promise.race([life, this.#askNew(place, silenceMs)]);
    this.#waiting.delete(place);
    return isThere;
  }

  /** Resolves when it answers, or nobody asks any more. */
  async comesBack(place: string): Promise<void> {
    this.#abandon(place);
    const { promise: back, resolve } = Promise.withResolvers<true>();
    while (!this.#isClosed) {
      void this.#askNew(place, returnMs).then((answers) => answers && resolve(true));
      if (await Promise.race([back, Bun.sleep(askAgainMs)])) break;
    }
    void this.#askOpen(place);
  }

  close(): void {
    this.#isClosed = true;
    for (const place of [...this.#open.keys()]) this.#abandon(place);
  }

  #abandon(place: string): void {
    void this.#open.get(place)?.close({ timeout: 0 });
    this.#open.delete(place);
  }

  /** Only an answer of the worker counts. That there is none may be this connection's fault. */
  async #askOpen(place: string): Promise<boolean> {
    if (this.#isClosed) return false;
    const client = this.#open.get(place) ?? this.#connect(questionMs);
    const isNew = !this.#open.has(place);
    this.#open.set(place, client);
    try {
      if (isNew) await client.unsafe(keepWays);
      const [row]: { answers: boolean }[] = await client.unsafe(question, nodeOf(place));
      if (row?.answers) return true;
    } catch {
      // The other question tells why.
    }
    if (this.#open.get(place) === client) this.#abandon(place);
    return false;
  }

  /**
   * Only the worker's answer is timed, not the coordinator's. An error is an answer: then statements fail by themselves. No row is
   * asked for, which others may have locked.
   */
  async #askNew(place: string, limitMs: number): Promise<boolean> {
    const client = this.#connect(limitMs);
    try {
      await client.unsafe("select 1");
      const asking = client.unsafe(question, nodeOf(place));
      await beforeDeadline(asking, limitMs, () => new Failure("STORE_UNREACHABLE", "no answer"));
      return true;
    } catch (error) {
      return !(error instanceof Failure) && !isTimeout(error);
    } finally {
      void client.close({ timeout: 0 });
    }
  }
}

function nodeOf(place: string): [string, number] {
  const end = place.lastIndexOf(":");
  return [place.slice(0, end), Number(place.slice(end + 1))];
}

/** The coordinator ended the statement, because its time was over. */
export function isTimeout(error: unknown): boolean {
  return (error as { errno?: string } | null)?.errno === "57014";
}
