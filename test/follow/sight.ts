import { scaledMs } from "../support/patience.ts";

interface Interval {
  readonly since: number;
  until: number | null;
}

/** A change of the fleet is seen by every node within a second. */
const seenWithinMs = 1_000;

/** Which devices each sub-account could see, and when: from before an assignment until it is seen to be over. */
export class Sight {
  readonly #intervals = new Map<string, Interval[]>();

  /** To be called before the assignment is made. */
  begin(userId: string, deviceId: string): void {
    const intervals = this.#of(userId, deviceId);
    const last = intervals.at(-1);
    if (last === undefined || last.until !== null) intervals.push({ since: performance.now(), until: null });
  }

  /** To be called after it has been taken away. */
  end(userId: string, deviceId: string): void {
    const last = this.#of(userId, deviceId).at(-1);
    if (last && last.until === null) last.until = performance.now() + scaledMs(seenWithinMs);
  }

  isNow(userId: string, deviceId: string): boolean {
    return this.#of(userId, deviceId).at(-1)?.until === null;
  }

  /** Whether an answer that was asked for and came at these times may show the device. */
  allows(userId: string, deviceId: string, askedAt: number, answeredAt: number): boolean {
    return this.#of(userId, deviceId).some(
      ({ since, until }) => since <= answeredAt && (until === null || until >= askedAt),
    );
  }

  /** Whether it was ever in sight. */
  ever(userId: string, deviceId: string): boolean {
    return this.#of(userId, deviceId).length > 0;
  }

  #of(userId: string, deviceId: string): Interval[] {
    const key = `${userId} ${deviceId}`;
    const intervals = this.#intervals.get(key) ?? [];
    this.#intervals.set(key, intervals);
    return intervals;
  }
}
