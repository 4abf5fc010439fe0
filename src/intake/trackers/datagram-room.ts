import { limits } from "./limits.ts";

/** How many datagrams, and of how many bytes, have come and are not stored yet. */
export class DatagramRoom {
  #count = 0;
  #bytes = 0;

  isFullFor(bytes: number): boolean {
    return this.#count >= limits.datagrams || this.#bytes + bytes > limits.datagramsBytes;
  }

  async hold(bytes: number, stored: Promise<void>): Promise<void> {
    this.#count++;
    this.#bytes += bytes;
    await stored;
    this.#count--;
    this.#bytes -= bytes;
  }
}
