import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { observationKinds } from "../../src/observe/observation.ts";
import { type IngestServer, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { repository } from "./blocks.ts";

const page = repository.get("docs/watching.md") ?? "";

function section(title: string): string {
  return new RegExp(`^## ${title}\\n(.*?)(?=^## |(?![^]))`, "ms").exec(page)?.[1] ?? "";
}

let server: IngestServer;
let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "odograph-"));
  const env = { ODOGRAPH_DATA: directory, ODOGRAPH_RETAIN_DAYS: "400", ODOGRAPH_TRACKERS: "gt06=0" };
  server = await startServer({ env });
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

test("every metric is in the list, and every one in the list is there", async () => {
  await fetch(`${server.url}/v1/health`);
  let output = "";
  // Some begin with the first look at the store, or the first pass of retention.
  await until(async () => {
    output = await (await fetch(`${server.ingestUrl}/metrics`)).text();
    return /^odograph_store_bytes /m.test(output) && /^odograph_retention_refused 0$/m.test(output);
  });
  const named = section("Metrics").match(/\b(?:odograph|process)_[a-z_]+\b(?=[{`])/g) ?? [];
  const there = [...output.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name);
  // There is neither a broker nor a replica nor mail here.
  const absent = ["odograph_broker_connected", "odograph_page_reads_total", "odograph_replica_lag_bytes"];
  absent.push("odograph_notifications_waiting", "odograph_report_mails_waiting");
  expect([...named].sort()).toEqual([...there, ...absent].sort());
});

test("every kind of observation is in the list, and nothing else", () => {
  const rows = [...section("Logs").matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, row = ""]) => row.match(/\w+/g) ?? []);
  expect(rows.sort()).toEqual(Object.keys(observationKinds).sort());
});
