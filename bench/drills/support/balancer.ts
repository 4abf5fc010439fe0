interface Balanced {
  readonly url: string;
  readonly ingestUrl: string;
}

const againMs = 50;

/**
 * The simplest balancer, inside of a client: each new connection goes to the next node whose health check answers 200. Which
 * connections stay open is left to the nodes.
 */
export class Balancer {
  #turn = 0;

  constructor(readonly nodes: readonly Balanced[]) {}

  readonly api = () => this.#choose(({ url }) => [url, "/v1/health"]);
  readonly ingest = () => this.#choose(({ ingestUrl }) => [ingestUrl, "/ready"]);

  async #choose(place: (node: Balanced) => readonly [string, string]): Promise<string> {
    for (;;) {
      for (const _ of this.nodes) {
        const [url, path] = place(this.nodes[this.#turn++ % this.nodes.length] as Balanced);
        const health = await fetch(url + path).catch(() => null);
        if (health?.status === 200) return url;
      }
      await Bun.sleep(againMs);
    }
  }
}
