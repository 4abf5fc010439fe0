import type { MeterReading } from "../access/meter.ts";

/** Figures that no reading has, so that the first one is written. */
const nothingYet: MeterReading = {
  day: Number.NaN,
  limitPerDay: Number.NaN,
  remainingDay: Number.NaN,
  resetSeconds: Number.NaN,
  limitPerSecond: Number.NaN,
  remainingSecond: Number.NaN,
};

/**
 * The headers of one kind of answer. They are made once and only what has changed since the answer before is written anew:
 * a Response copies what it is given, making headers from an object takes four times as long as copying them, and setting
 * one a quarter of that. Most keys share their limits, and all of them the day's end.
 */
export class StampedHeaders {
  readonly #headers: Headers;
  #written = nothingYet;
  #etag: string | null = null;

  constructor(fixed: Readonly<Record<string, string>>) {
    this.#headers = new Headers(fixed);
  }

  /** To be used up before the next call of it. */
  with(requestId: string, reading: MeterReading): Headers {
    const [headers, written] = [this.#headers, this.#written];
    headers.set("X-Request-Id", requestId);
    if (reading.limitPerDay !== written.limitPerDay) headers.set("X-RateLimit-Limit", String(reading.limitPerDay));
    if (reading.remainingDay !== written.remainingDay) {
      headers.set("X-RateLimit-Remaining", String(reading.remainingDay));
    }
    if (reading.resetSeconds !== written.resetSeconds) headers.set("X-RateLimit-Reset", String(reading.resetSeconds));
    if (reading.limitPerSecond !== written.limitPerSecond) {
      headers.set("X-RateLimit-Limit-Second", String(reading.limitPerSecond));
    }
    if (reading.remainingSecond !== written.remainingSecond) {
      headers.set("X-RateLimit-Remaining-Second", String(reading.remainingSecond));
    }
    this.#written = reading;
    return headers;
  }

  /** The same for an answer that carries a tag. All answers of one kind do, or none. */
  tagged(etag: string, requestId: string, reading: MeterReading): Headers {
    const headers = this.with(requestId, reading);
    if (etag !== this.#etag) headers.set("ETag", etag);
    this.#etag = etag;
    return headers;
  }
}
