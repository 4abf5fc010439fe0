import type { MeterReading } from "../access/meter.ts";

const figures = [
  ["X-RateLimit-Limit", "limitPerDay"],
  ["X-RateLimit-Remaining", "remainingDay"],
  ["X-RateLimit-Reset", "resetSeconds"],
  ["X-RateLimit-Limit-Second", "limitPerSecond"],
  ["X-RateLimit-Remaining-Second", "remainingSecond"],
] as const satisfies readonly (readonly [header: string, figure: keyof MeterReading])[];

/**
 * The headers of one kind of answer. They are made once, and only what changed since the last answer is set again: a
 * Response copies its headers, making them from an object takes four times as long as copying, and setting one a quarter of
 * that. Most keys share their limits, and all of them the day's end.
 */
export class StampedHeaders {
  readonly #headers: Headers;
  #written: Partial<MeterReading> = {};
  #etag: string | null = null;

  constructor(fixed: Readonly<Record<string, string>>) {
    this.#headers = new Headers(fixed);
  }

  /** Use the result before the next call. */
  with(requestId: string, reading: MeterReading): Headers {
    const [headers, written] = [this.#headers, this.#written];
    headers.set("X-Request-Id", requestId);
    for (const [header, figure] of figures) {
      if (reading[figure] !== written[figure]) headers.set(header, String(reading[figure]));
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
