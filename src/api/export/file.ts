import type { Visibility } from "../../domain/visibility.ts";
import { asFailure, observeFailure } from "../../http/failures.ts";
import type { Observe } from "../../observe/observation.ts";
import type { OpenStreams, StreamEnd } from "../cache/open-streams.ts";
import type { FormatName } from "../formats/format.ts";
import { tooManyLongAnswers } from "../refusals.ts";
import { type ResponseContext, respond } from "../respond.ts";
import { nextTurn } from "../turns.ts";

/** A file for a user who is authenticated elsewhere. */
export interface FileCall extends ResponseContext {
  readonly visibility: Visibility;
  /** Rejects if the user is no longer signed in, or sees something else. */
  readonly checkAccess: () => Promise<void>;
  /** For the log: a pattern. */
  readonly routeName: string;
  readonly format: FormatName;
  readonly fileName: string;
  /** Only the headers: the file is not read. */
  readonly isHead: boolean;
  /** Called while a long file is made: the connection is not idle, even if nothing can be sent yet. */
  readonly stayOpen: () => void;
}

export interface FileContext {
  /** Apart from the API's own: a list that is exported may itself be streamed. */
  readonly streams: OpenStreams;
  readonly observe: Observe;
}

/** The text of a file, page by page. A page of which nothing is to be sent is empty. */
export type FileTexts = AsyncGenerator<string, void, void>;

const encoder = new TextEncoder();

/** If nothing was found to send for so long, something is wrong. */
const maxSilentMs = 600_000;

/**
 * Answers with a file that is sent while it is made: only a page is in memory. The first page is read before the answer
 * begins, so a wrong request is a refusal. A failure after that closes the connection in the middle of the transfer, so that no
 * client takes the part for the whole. However a file breaks off, it is logged once.
 */
export async function answerFile(context: FileContext, call: FileCall, texts: FileTexts): Promise<Response> {
  const { visibility, checkAccess, format, fileName } = call;
  const { userId: caller, accountId } = visibility;
  const place = await context.streams.enter({ caller, accountId, checkAccess });
  if (typeof place === "string") throw tooManyLongAnswers(place, "person");
  const pages = new Pages(call, texts);
  const started = performance.now();
  let isBegun = false;
  const body = await place.body(
    () => pages.next(),
    (end) => {
      pages.stop();
      // Before the first part a failure becomes the answer, and is logged with that.
      if (isBegun) observeEnd(context.observe, call, end, performance.now() - started);
    },
  );
  isBegun = true;
  const headers = { "Content-Disposition": `attachment; filename="${fileName}"` };
  if (!call.isHead) return respond({ body, format, headers }, call);
  await body.cancel();
  return new Response(null, respond({ body: "", format, headers }, call));
}

class Pages {
  readonly #call: FileCall;
  readonly #texts: FileTexts;
  #isBegun = false;
  #isStopped = false;

  constructor(call: FileCall, texts: FileTexts) {
    this.#call = call;
    this.#texts = texts;
  }

  /** Null after the last. */
  async next(): Promise<Uint8Array | null> {
    const since = performance.now();
    for (;;) {
      const { value = null } = await this.#texts.next();
      // The reader may have left while the page was read.
      if (value === null || this.#isStopped) return null;
      this.#call.stayOpen();
      // The answer begins with the first page, whatever is on it.
      if (value !== "" || !this.#isBegun) {
        this.#isBegun = true;
        return encoder.encode(value);
      }
      if (performance.now() - since > maxSilentMs) throw new Error("a download found nothing to send for too long");
      // Such pages are read on without a pause of the reader's.
      await this.#call.checkAccess();
      await nextTurn();
    }
  }

  stop(): void {
    this.#isStopped = true;
    void this.#texts.return();
  }
}

function observeEnd(observe: Observe, call: FileCall, end: StreamEnd, durationMs: number): void {
  const { requestId, routeName: route, isHead } = call;
  const { userId } = call.visibility;
  if (end.outcome === "failed") {
    observeFailure(observe, { requestId, route, caller: { userId } }, asFailure(end.cause));
  } else if (end.outcome === "left" && !isHead) {
    observe({ kind: "download_left", requestId, userId, route, durationMs });
  }
}
