import { BoundedMap } from "../../domain/bounded-map.ts";
import type { Observe } from "../../observe/observation.ts";
import { type GeocoderKind, geocoderKinds, nameIn, questionOf } from "./geocoder-answers.ts";

export interface GeocoderSettings {
  readonly url: string;
  /** Null: found out from the first answer. */
  readonly kind: GeocoderKind | null;
}

export interface PlaceName {
  /** Null: the place has no name, or it is not known now. */
  readonly name: string | null;
  /** Whether asking again later may give a name. */
  readonly mayChange: boolean;
}

/** How long things take. Tests have less patience. */
export interface GeocoderPace {
  /** Between two questions: the geocoder also serves others. */
  readonly pauseMs: number;
  /** For one answer. */
  readonly answerMs: number;
  /** For one caller, all questions before theirs included. The answer is cached all the same. */
  readonly waitMs: number;
  /** After a failure nothing is asked for this long. */
  readonly restMs: number;
}

const usualPace: GeocoderPace = { pauseMs: 100, answerMs: 3_000, waitMs: 4_000, restMs: 30_000 };

/** About 11 metres: enough to tell houses apart. Places that round to the same are asked for once. */
const decimals = 4;
/** Some 3 MB with names of usual length. */
const maxNames = 20_000;
/** Questions that wait. At the usual pace they are answered before anybody gives up. */
const maxWaiting = 40;
/** Answers are about 1 KB. */
const maxAnswerBytes = 64 * 1024;

const nothingNow: PlaceName = { name: null, mayChange: true };

/**
 * Names of places from the operator's own geocoder. It is asked one question at a time. If it fails, places have no names
 * for a while, and nobody waits for it.
 */
export class Geocoder {
  readonly #base: URL;
  readonly #observe: Observe;
  readonly #pace: GeocoderPace;
  #kind: GeocoderKind | null;
  /** By rounded place. */
  readonly #names = new BoundedMap<string, string | null>({ max: maxNames });
  readonly #waiting = new Map<string, Promise<PlaceName>>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  #restUntil = 0;
  #isFailing = false;

  constructor({ url, kind }: GeocoderSettings, observe: Observe, pace: GeocoderPace = usualPace) {
    this.#base = new URL(url);
    this.#kind = kind;
    this.#observe = observe;
    this.#pace = pace;
  }

  async nameOf(latitude: number, longitude: number): Promise<PlaceName> {
    const place = [latitude.toFixed(decimals), longitude.toFixed(decimals)] as const;
    const id = place.join(" ");
    const known = this.#names.get(id);
    if (known !== undefined) return { name: known, mayChange: false };
    let answer = this.#waiting.get(id);
    if (answer === undefined) {
      if (this.#isResting() || this.#waiting.size >= maxWaiting) return nothingNow;
      answer = this.#inTurn(id, place).finally(() => this.#waiting.delete(id));
      this.#waiting.set(id, answer);
    }
    return inTime(answer, this.#pace.waitMs);
  }

  #inTurn(id: string, place: readonly [string, string]): Promise<PlaceName> {
    const turn = this.#lastTurn.then(async () => {
      // Those before it may have failed.
      if (this.#isResting()) return nothingNow;
      const answer = await this.#ask(...place);
      if (answer === undefined) return nothingNow;
      this.#names.set(id, answer);
      return { name: answer, mayChange: false };
    });
    this.#lastTurn = turn.then(() => (this.#isResting() ? null : Bun.sleep(this.#pace.pauseMs)));
    return turn;
  }

  /** Undefined after a failure, which is logged once until it is over. */
  async #ask(latitude: string, longitude: string): Promise<string | null | undefined> {
    let reason = "";
    for (const kind of this.#kind === null ? geocoderKinds.toReversed() : [this.#kind]) {
      try {
        const name = nameIn(kind, await this.#fetch(questionOf(kind, this.#base, latitude, longitude)));
        if (name === undefined) throw new Error(`it does not answer as ${kind} does`);
        this.#kind = kind;
        this.#isFailing = false;
        return name;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
    if (!this.#isFailing) this.#observe({ kind: "geocoder_failed", reason, retryMs: this.#pace.restMs });
    this.#isFailing = true;
    this.#restUntil = Date.now() + this.#pace.restMs;
    return undefined;
  }

  async #fetch(url: URL): Promise<unknown> {
    const { username, password } = this.#base;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const signal = AbortSignal.timeout(this.#pace.answerMs);
    const headers = {
      Accept: "application/json",
      "User-Agent": "Odograph",
      ...(username === "" ? {} : { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
    };
    // Only messages of our own: others may repeat the address, and with it a password.
    const response = await fetch(url, { headers, signal, redirect: "manual" }).catch(() => {
      throw new Error(signal.aborted ? "no answer in time" : "it cannot be reached");
    });
    if (!response.ok) throw new Error(`it answers with status ${response.status}`);
    const body = await readBounded(response).catch(() => {
      throw new Error(signal.aborted ? "no answer in time" : "its answer is too long, or broke off");
    });
    try {
      return JSON.parse(body);
    } catch {
      throw new Error("its answer is not JSON");
    }
  }

  #isResting(): boolean {
    return Date.now() < this.#restUntil;
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let body = "";
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop cancels the rest.
    if (size > maxAnswerBytes) throw new Error("too long");
    body += decoder.decode(piece, { stream: true });
  }
  return body + decoder.decode();
}

async function inTime(answer: Promise<PlaceName>, waitMs: number): Promise<PlaceName> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<PlaceName>((resolve) => {
    timer = setTimeout(() => resolve(nothingNow), waitMs);
  });
  return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}
