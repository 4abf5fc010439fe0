import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { residentMb } from "./process-use.ts";
import { ownRoot, programOf } from "./program.ts";

/** The resources that a server uses at a moment. */
export interface Sample {
  readonly residentMb: number;
  readonly handles: number;
  readonly databaseMb: number;
  readonly logMb: number;
}

const mb = 1024 * 1024;

/** A server on an embedded store that is killed and started again on the same ports. */
export class WatchedServer {
  readonly #directory: string;
  readonly #ports: readonly [api: number, ingest: number];
  readonly #logPath: string;
  #child: Bun.Subprocess | null = null;

  constructor(directory: string, ports: readonly [api: number, ingest: number], logPath: string) {
    this.#directory = directory;
    this.#ports = ports;
    this.#logPath = logPath;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  get ingestUrl(): string {
    return `http://127.0.0.1:${this.#ports[1]}`;
  }

  /** Resolves, with how long it took, when the server is ready. */
  async start(): Promise<number> {
    const began = performance.now();
    const [port, ingestPort] = this.#ports.map(String) as [string, string];
    const words = ["serve", "--port", port, "--ingest-port", ingestPort, "--log-level", "warn", "--log-format", "json"];
    const log = `exec >>"$LOG" 2>&1; exec "$@"`;
    this.#child = Bun.spawn(["sh", "-c", log, "sh", ...programOf(ownRoot), ...words, "--data", this.#directory], {
      env: { ...process.env, LOG: this.#logPath },
      stdout: "ignore",
      stderr: "inherit",
    });
    while (!(await this.#isReady())) await Bun.sleep(20);
    return performance.now() - began;
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  async stop(): Promise<void> {
    this.#child?.kill("SIGTERM");
    await this.#child?.exited;
  }

  async sample(): Promise<Sample> {
    const pid = this.#child?.pid ?? 0;
    const size = async (name: string) => (await stat(join(this.#directory, name)).catch(() => null))?.size ?? 0;
    return {
      residentMb: await residentMb(pid),
      handles: (await readdir(`/proc/${pid}/fd`)).length,
      databaseMb: (await size("odograph.db")) / mb,
      logMb: (await size("odograph.db-wal")) / mb,
    };
  }

  async #isReady(): Promise<boolean> {
    const answer = await fetch(`${this.ingestUrl}/ready`).catch(() => null);
    return answer?.status === 200;
  }
}
