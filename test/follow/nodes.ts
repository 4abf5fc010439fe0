import type { EmptyStore } from "../support/engines.ts";
import { type IngestServer, startServer } from "../support/ingest-server.ts";
import { patienceMs } from "../support/patience.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, checked where they are used
  readonly body: any;
}

/** Real servers over one store. Some of them may be down. */
export class Nodes {
  readonly #store: EmptyStore;
  readonly #random: () => number;
  readonly #servers: IngestServer[];

  private constructor(store: EmptyStore, random: () => number, servers: IngestServer[]) {
    this.#store = store;
    this.#random = random;
    this.#servers = servers;
  }

  static async start(store: EmptyStore, count: number, random: () => number): Promise<Nodes> {
    const servers: IngestServer[] = [];
    for (let index = 0; index < count; index++) servers.push(await startServer(store));
    return new Nodes(store, random, servers);
  }

  /** Any of them, up or down: a client does not know. */
  any(): IngestServer {
    return this.#servers[Math.floor(this.#random() * this.#servers.length)] as IngestServer;
  }

  /** Asks any of them. Null: no answer came. */
  async ask(path: string, init: RequestInit = {}): Promise<Answer | null> {
    try {
      const response = await fetch(this.any().url + path, init);
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json") && text !== "";
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    } catch {
      return null;
    }
  }

  /** Asks again until one answers and has no fault of its own. */
  async askUntilAnswered(path: string, init: RequestInit = {}): Promise<Answer> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const answer = await this.ask(path, init);
      if (answer !== null && answer.status < 500) return answer;
      if (performance.now() > deadline) throw new Error(`${path} was not answered: ${JSON.stringify(answer?.body)}`);
      await Bun.sleep(20);
    }
  }

  /** SIGTERM; its successor has another port. */
  async restart(): Promise<void> {
    const index = this.#anyIndex();
    const { code, stderr } = await (this.#servers[index] as IngestServer).stop();
    if (code !== 0) throw new Error(`a server ended with ${code}: ${stderr}`);
    this.#servers[index] = await startServer(this.#store);
  }

  async kill(): Promise<void> {
    const index = this.#anyIndex();
    await (this.#servers[index] as IngestServer).kill();
    this.#servers[index] = await startServer(this.#store);
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
  }

  #anyIndex(): number {
    return Math.floor(this.#random() * this.#servers.length);
  }
}
