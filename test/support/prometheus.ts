import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./ingest-server.ts";
import { until } from "./patience.ts";

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: readonly [number, string] }[];
  };
}

export interface Prometheus {
  /** The series that the expression gives now. Fails if it is not one. */
  query(expression: string): Promise<{ readonly metric: Record<string, string>; readonly value: number }[]>;
  stop(): Promise<void>;
}

/** A real Prometheus that reads the targets' metrics every second. */
export async function startPrometheus(program: string, targets: readonly string[]): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-prometheus-"));
  const config = {
    global: { scrape_interval: "1s" },
    scrape_configs: [{ job_name: "odograph", static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  await writeFile(join(directory, "prometheus.yml"), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = Bun.spawn(
    [
      program,
      `--config.file=${join(directory, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      `--web.listen-address=${address}`,
    ],
    { stdout: "ignore", stderr: "ignore" },
  );
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady);
  return {
    async query(expression) {
      const response = await fetch(`http://${address}/api/v1/query`, {
        method: "POST",
        body: new URLSearchParams({ query: expression }),
      });
      const { status, error, data } = (await response.json()) as Answer;
      if (status !== "success") throw new Error(`${error}: ${expression}`);
      return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    async stop() {
      child.kill();
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
}
