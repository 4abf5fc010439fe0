import type { CanonicalFrame } from "./messages.ts";

interface Delivery {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
  /** From the first attempt to the answer. */
  readonly latencyMs: number;
}

export interface Destination {
  /** The ingest port, e.g. `http://127.0.0.1:8081`. */
  readonly url: string;
  readonly token: string;
  /** False: each request has its own connection, so that no open one keeps the process from ending. */
  readonly isReused?: boolean;
}

/** Like a tracker, it retries for a while if the server does not answer or asks for it: three seconds. */
const fewAttempts = 5;
/** The same for a server that has answered before, and may be starting again: most of a minute. */
export const manyAttempts = 9;
const firstPauseMs = 200;

/** Why frames could not be delivered, in words. */
export class NotDelivered extends Error {}

/** Sends frames to an ingest port, and resolves when they are acknowledged. */
export async function deliver(
  destination: Destination,
  frames: readonly CanonicalFrame[],
  attempts = fewAttempts,
): Promise<Delivery> {
  const began = performance.now();
  const body = JSON.stringify(frames);
  for (let attempt = 1, pauseMs = firstPauseMs; ; attempt++, pauseMs *= 2) {
    const answer = await post(destination, body);
    if (typeof answer !== "string") return { ...answer, latencyMs: performance.now() - began };
    if (attempt === attempts) throw new NotDelivered(answer);
    await Bun.sleep(pauseMs);
  }
}

/** The server's answer, or why it is worth trying again. */
async function post(
  { url: port, token, isReused = true }: Destination,
  body: string,
): Promise<Omit<Delivery, "latencyMs"> | string> {
  const url = `${port}/frames`;
  let response: Response;
  try {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    response = await fetch(url, { method: "POST", headers, body, keepalive: isReused });
  } catch (error) {
    return `${url} does not answer (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
  if (response.status === 200) return (await response.json()) as Omit<Delivery, "latencyMs">;
  const text = await response.text();
  const message = `${url} answered ${response.status}: ${text.slice(0, 200)}`;
  if (response.status < 500 && response.status !== 429) throw new NotDelivered(message);
  return message;
}

/** Counts what was sent and how long it took, for a report. */
export class DeliveryTally {
  sent = 0;
  accepted = 0;
  duplicate = 0;
  refused = 0;
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
