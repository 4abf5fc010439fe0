import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import dashboard from "../../deploy/grafana/odograph.json" with { type: "json" };
import { createMetrics, renderMetrics } from "../../src/observe/metrics.ts";
import { type IngestServer, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { startPrometheus } from "../support/prometheus.ts";

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const panels = (dashboard.panels as readonly Panel[]).filter(({ type }) => type !== "row");
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const rules = await Bun.file(new URL("../../deploy/prometheus/rules.yml", import.meta.url)).text();

let server: IngestServer;
let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "odograph-"));
  server = await startServer({ env: { ODOGRAPH_DATA: directory, ODOGRAPH_TRACKERS: "gt06=0" } });
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

/** What a server shows only if it has a broker, a replica or retention, or a moment after its start. */
function shownSometimes(): string {
  const metrics = createMetrics();
  metrics.observe({ kind: "broker_connected", broker: "b:1883", clientId: "c", topics: "t" });
  metrics.observe({ kind: "replica_used", replica: "db:5432" });
  metrics.observe({ kind: "replica_measured", lagBytes: 0 });
  metrics.observe({ kind: "retention_passed" });
  metrics.observe({ kind: "notifications_measured", mails: 0, alerts: 0 });
  metrics.observe({ kind: "reports_measured", mails: 0 });
  metrics.observe({ kind: "store_measured", bytes: 1, freeBytes: 1, backupAt: 0 });
  return renderMetrics([metrics.snapshot()]);
}

/** Names and labels of all series, and the values of labels that a query may look for. */
function seriesIn(text: string) {
  const series = new Map<string, Map<string, Set<string>>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, known);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return series;
}

/** What Prometheus adds to every series. */
const ofPrometheus = ["job", "instance"];

function wrongIn(expression: string, series: ReturnType<typeof seriesIn>): string[] {
  const named = [...expression.matchAll(/\b((?:odograph|process)_[a-z_]+|up)\b(?:\{([^}]*)\})?/g)];
  if (named.length === 0) return [`no metric in ${expression}`];
  return named.flatMap(([, name = "", matchers = ""]) => {
    const labels = name === "up" ? new Map() : series.get(name);
    if (labels === undefined) return [`${name} is not served`];
    return [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label = "", how = "", wanted = ""]) => {
      if (ofPrometheus.includes(label)) return [];
      const values: Set<string> | undefined = labels.get(label);
      if (values === undefined) return [`${name} has no ${label}`];
      const alternatives = how === "=" || how === "!=" ? [wanted] : wanted.split("|");
      const isThere = (one: string) => [...values].some((value) => new RegExp(`^(?:${one})$`).test(value));
      return alternatives.filter((one) => !isThere(one)).map((one) => `no ${label} of ${name} is ${one}`);
    });
  });
}

test("rules and dashboard ask for nothing that a server does not serve", async () => {
  // A route's times begin with its first request.
  await Promise.all([fetch(`${server.url}/v1/health`), fetch(`${server.ingestUrl}/frames`, { method: "POST" })]);
  const served = await (await fetch(`${server.ingestUrl}/metrics`)).text();
  const series = seriesIn(served + shownSometimes());
  expect(wrongIn('sum(odograph_gone) + odograph_leading{x="1"} + odograph_frames_total{result="x"}', series)).toEqual([
    "odograph_gone is not served",
    "odograph_leading has no x",
    "no result of odograph_frames_total is x",
  ]);
  expect(queries.flatMap(({ title, expr }) => wrongIn(expr, series).map((wrong) => `${title}: ${wrong}`))).toEqual([]);
  const expressions = [...rules.matchAll(/^ +expr: (?:>-\n)?(.*?)\n +(?:for|labels):/gms)].map(([, text = ""]) => text);
  expect(expressions.length).toBe(rules.match(/- alert:/g)?.length ?? 0);
  expect(expressions.flatMap((expression) => wrongIn(expression, series))).toEqual([]);
});

test("the dashboard has no data source of its own, and says what each panel shows", () => {
  expect(queries.length).toBeGreaterThan(25);
  for (const { title, targets = [], description } of panels) {
    expect([title, description]).toEqual([expect.stringMatching(/./), expect.stringMatching(/\.$/)]);
    for (const { datasource } of targets) expect(datasource.uid).toBe(`\${datasource}`);
  }
  const ids = panels.map(({ title }) => title);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Without a broker, a replica, retention, failures or late frames there is nothing to see. */
const mayBeEmpty = [
  "MQTT broker",
  "Replica",
  "Pages of lists by source",
  "Retention refused",
  "Failed by route",
  "Warnings and errors by kind",
];

test("Prometheus answers every query of the dashboard", async () => {
  const program = Bun.which("prometheus");
  if (program === null) return console.log("not run: prometheus is not installed here, so nobody has run the queries");
  const prometheus = await startPrometheus(program, [new URL(server.ingestUrl).host]);
  try {
    const ask = (expr: string) =>
      prometheus.query(
        expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "odograph").replaceAll("$instance", ".*"),
      );
    // A rate needs two readings with requests between them.
    const [first] = queries.filter(({ title }) => title === "Time to store a message");
    await until(async () => {
      await Promise.all([fetch(`${server.url}/v1/health`), fetch(`${server.ingestUrl}/frames`, { method: "POST" })]);
      const found = await ask(first?.expr ?? "");
      return found.some(({ value }) => value > 0);
    });
    for (const { title, expr } of queries) {
      const found = await ask(expr);
      if (found.length > 0 || mayBeEmpty.includes(title)) continue;
      // A reading that takes longer than a second is none, and nothing is shown until the next.
      await until(async () => (await ask(expr)).length > 0).catch((cause) => {
        throw new Error(`${title}: ${expr}`, { cause });
      });
    }
    const nodesUp = queries.find(({ title }) => title === "Nodes up")?.expr ?? "";
    await until(async () => (await ask(nodesUp))[0]?.value === 1);
  } finally {
    await prometheus.stop();
  }
});
