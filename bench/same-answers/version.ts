import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/servers.ts";
import { Connection } from "./connection.ts";

const controlled = fileURLToPath(new URL("./controlled.ts", import.meta.url));
/** A machine that does other work may be many times slower than a quiet one. */
const listenMs = 120_000;

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface VersionOptions {
  readonly name: "before" | "after";
  /** A checkout with its packages installed. */
  readonly root: string;
  /** The settings that name its store. */
  readonly env: Readonly<Record<string, string>>;
  readonly clockPath: string;
  readonly seed: number;
  readonly logPath: string;
}

/** One version of the program on a store of its own. */
export class Version {
  readonly #options: VersionOptions;
  #server: Bun.Subprocess | null = null;
  #steps = 0;
  api: Connection | null = null;
  ingest: Connection | null = null;

  constructor(options: VersionOptions) {
    this.#options = options;
  }

  get name(): "before" | "after" {
    return this.#options.name;
  }

  /** Runs a command to its end. */
  async run(words: readonly string[], input = ""): Promise<RunResult> {
    const child = this.#spawn(words, new Blob([input]));
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, stdout, stderr };
  }

  async start(): Promise<void> {
    const [port, ingestPort] = [await freePort(), await freePort()];
    const ports = ["--port", String(port), "--ingest-port", String(ingestPort)];
    const server = this.#spawn(["serve", ...ports, "--log-level", "warn", "--log-format", "json"], null);
    this.#server = server;
    this.#log(server.stderr);
    const timer = setTimeout(() => server.kill("SIGKILL"), listenMs);
    try {
      let text = "";
      for await (const chunk of server.stdout) {
        text += new TextDecoder().decode(chunk);
        if (text.includes("listening ")) break;
      }
      if (!text.includes("listening ")) throw new Error(`${this.name} did not listen; see ${this.#options.logPath}`);
    } finally {
      clearTimeout(timer);
    }
    this.api = new Connection("127.0.0.1", port);
    this.ingest = new Connection("127.0.0.1", ingestPort);
  }

  async stop(): Promise<void> {
    this.api?.close();
    this.ingest?.close();
    const server = this.#server;
    this.#server = null;
    server?.kill("SIGTERM");
    const timer = setTimeout(() => server?.kill("SIGKILL"), listenMs);
    await server?.exited;
    clearTimeout(timer);
  }

  #spawn(words: readonly string[], stdin: Blob | null) {
    const { root, env, clockPath, seed } = this.#options;
    return Bun.spawn([join(root, "bin/odograph"), ...words], {
      // A bare environment: settings of this machine must not reach the program. The flag makes Bun end with its parent.
      env: {
        PATH: process.env.PATH ?? "",
        TZ: "UTC",
        BUN_FEATURE_FLAG_NO_ORPHANS: "1",
        BUN_OPTIONS: `--preload=${controlled}`,
        SAME_ANSWERS_CLOCK: clockPath,
        // Each process draws something else, or two commands at one moment would make the same key.
        SAME_ANSWERS_SEED: `${seed} ${this.#steps++}`,
        ...env,
      },
      stdin: stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async #log(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream) await appendFile(this.#options.logPath, chunk);
  }
}
