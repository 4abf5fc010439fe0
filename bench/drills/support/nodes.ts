import { ownRoot, programOf } from "../../support/program.ts";
import { freePort } from "../../support/servers.ts";

const startLimitMs = 60_000;

/** Runs a command to its end. Returns what it printed. */
export async function odograph(words: readonly string[], databaseUrl: string, input?: string): Promise<string> {
  const child = Bun.spawn([...programOf(ownRoot), ...words], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`odograph ${words.slice(0, 2).join(" ")} failed`);
  return text;
}

export interface NodeOptions {
  readonly databaseUrl: string;
  /** The directory of another version to start. */
  readonly root?: string | undefined;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further words after `serve`. */
  readonly words?: readonly string[];
}

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">;

/** One `odograph serve`. It keeps its ports over restarts. */
export class Node {
  readonly url: string;
  readonly ingestUrl: string;
  /** Everything that its processes have logged, over all restarts. */
  log = "";
  #child: Child | null = null;

  constructor(
    readonly name: string,
    readonly options: NodeOptions,
    port: number,
    ingestPort: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.ingestUrl = `http://127.0.0.1:${ingestPort}`;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Resolves when it listens on both ports. Returns how long that took, in milliseconds. */
  async start(): Promise<number> {
    const began = performance.now();
    const { databaseUrl, root = ownRoot, env = {}, words = [] } = this.options;
    const ports = ["--port", portOf(this.url), "--ingest-port", portOf(this.ingestUrl)];
    const child: Child = Bun.spawn([...programOf(root), "serve", ...ports, "--log-format", "json", ...words], {
      env: { ...process.env, DATABASE_URL: databaseUrl, BUN_FEATURE_FLAG_NO_ORPHANS: "1", ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#child = child;
    this.#keepLog(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), startLimitMs);
    for await (const chunk of child.stdout) {
      if (!new TextDecoder().decode(chunk).includes("listening ")) continue;
      clearTimeout(timer);
      return performance.now() - began;
    }
    throw new Error(`${this.name} ended before it listened: ${this.log.slice(-2_000)}`);
  }

  /** SIGTERM. Returns the exit code when it has ended. */
  async stop(): Promise<number> {
    return this.#end("SIGTERM");
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<number> {
    const child = this.#child;
    if (child === null) return 0;
    child.kill(signal);
    const code = await child.exited;
    this.#child = null;
    return code;
  }

  async #keepLog(child: Child): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) this.log += decoder.decode(chunk, { stream: true });
  }
}

function portOf(url: string): string {
  return new URL(url).port;
}

/** Starts nodes on free ports, one after the other: the first of them makes the schema. */
export async function startNodes(count: number, options: NodeOptions): Promise<Node[]> {
  const nodes: Node[] = [];
  try {
    for (let number = 1; number <= count; number++) {
      const node = new Node(`node ${number}`, options, await freePort(), await freePort());
      nodes.push(node);
      await node.start();
    }
    return nodes;
  } catch (error) {
    await killAll(nodes);
    throw error;
  }
}

export async function killAll(nodes: readonly Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()));
}
