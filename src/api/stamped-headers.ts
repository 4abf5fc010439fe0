import type { MeterReading } from "../access/meter.ts";

/** Impossible figures, so that the first reading is written. */
const nothingYet: MeterReading = {
  day: Number.NaN,
  limitPerDay: Number.NaN,
  remainingDay: Number.NaN,
  resetSeconds: Number.NaN,
  limitPerSecond: Number.NaN,
  remainingSecond: Number.NaN,
};

/**
 * The headers of one kind of answer. They are made once, and only what changed since the last answer is set again: a
 * Response copies its headers, making them from an object takes four times as long as copying, and setting one a quarter of
 * that. Most keys share their limits, and all of them the day's end.
 */
export class StampedHeaders {
  readonly #headers: Headers;
  #written = nothingYet;
  #etag: string | null = null;

  constructor(fixed: Readonly<Record<string, string>>) {
    this.#headers = new Headers(fixed);
  }

  /** Use the result before the next call. */
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

  /** The same for an answer with a tag. All answers of one kind have one, or none. */
  tagged(etag: string, requestId: string, reading: MeterReading): Headers {
    const headers = this.with(requestId, reading);
    if (etag !== this.#etag) headers.set("ETag", etag);
    this.#etag = etag;
    return headers;
  }
}
