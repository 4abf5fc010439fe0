import type { Delivery } from "./sender.ts";

/** Counts what was sent and how long it took, for a report. */
export class DeliveryTally {
  sent = 0;
  accepted = 0;
  duplicate = 0;
  refused = 0;
  /** The reason of the first refusal. */
  firstReason: string | null = null;
  readonly #latenciesMs: number[] = [];
  readonly #began = performance.now();

  add(count: number, { accepted, duplicate, refused, latencyMs }: Delivery): void {
    this.sent += count;
    this.accepted += accepted;
    this.duplicate += duplicate;
    this.refused += refused.length;
    this.firstReason ??= refused[0]?.reason ?? null;
    this.#latenciesMs.push(latencyMs);
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** How long that share of the requests took at most. */
  latencyMs(share: number): number {
    const sorted = this.#latenciesMs.toSorted((one, other) => one - other);
    return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  }
}
