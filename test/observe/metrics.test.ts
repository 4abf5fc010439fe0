import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/domain/errors.ts";
import { createMetrics, type Metrics, renderMetrics } from "../../src/observe/metrics.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

/** Reads the Prometheus text format, strictly: families come one after the other and no sample comes twice. */
function read(text: string): Map<string, Family> {
  expect(text).toEndWith("\n");
  const families = new Map<string, Family>();
  let current = { name: "", help: "" };
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-z_]+) (\S.*)$/.exec(line);
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    const sample = /^([a-z_]+)(\{(?:[a-z]+="[^"\\\n]*",?)+\})? (\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
    if (help) {
      current = { name: help[1] ?? "", help: help[2] ?? "" };
      expect(families.has(current.name)).toBe(false);
    } else if (type) {
      expect(type[1]).toBe(current.name);
      families.set(current.name, { type: type[2] ?? "", help: current.help, samples: new Map() });
    } else {
      expect(line).toMatch(/^[a-z_]+(_bucket|_sum|_count)?[{ ]/);
      const [, name = "", labels = "", value = ""] = sample ?? [];
      expect(name.replace(/_(bucket|sum|count)$/, "")).toBe(current.name.replace(/_(bucket|sum|count)$/, ""));
      const samples = families.get(current.name)?.samples ?? new Map();
      expect(samples.has(name + labels)).toBe(false);
      samples.set(name + labels, Number(value));
    }
  }
  return families;
}

function answer(metrics: Metrics, route: string, status: number, durationMs: number): void {
  metrics.observe({ kind: "request_answered", requestId: "r", route, status, durationMs });
}

describe("the metrics", () => {
  test("count the devices whose trackers this node found something wrong with, and name none", () => {
    const snapshot = { ...createMetrics().snapshot(), trackerFaults: { clock: 2, shared_imei: 0 } };
    const faults = read(renderMetrics([snapshot, createMetrics().snapshot()])).get("odograph_tracker_faults");
    expect([...(faults?.samples ?? [])]).toEqual([
      ['odograph_tracker_faults{fault="clock"}', 2],
      ['odograph_tracker_faults{fault="shared_imei"}', 0],
    ]);
  });

  test("are valid before anything has happened", () => {
    const families = read(renderMetrics([createMetrics().snapshot()]));
    expect([...families.keys()]).toEqual([
      "odograph_frames_total",
      "odograph_observations_total",
      "odograph_devices_waiting",
      "odograph_frames_derived_again_total",
      "odograph_clock_ahead_seconds",
      "odograph_notification_mails_total",
      "odograph_report_mails_total",
      "odograph_leading",
      "odograph_build_info",
      "odograph_processes",
      "process_resident_memory_bytes",
      "process_uptime_seconds",
    ]);
    expect(families.get("process_resident_memory_bytes")?.samples.get("process_resident_memory_bytes")).toBeGreaterThan(
      0,
    );
  });

  test("begin at 0 for all that is known beforehand, so that the first event is an increase", () => {
    const metrics = createMetrics({ "/v1/devices": [200, 500], other: [404] }, { other: [405] });
    const counters = () => {
      const families = read(renderMetrics([metrics.snapshot()]));
      return Object.fromEntries(
        [...families].filter(([, { type }]) => type === "counter").flatMap(([, { samples }]) => [...samples]),
      );
    };
    const before = counters();
    expect(Object.values(before).every((count) => count === 0)).toBe(true);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'odograph_requests_total{route="/v1/devices",status="200"}',
        'odograph_requests_total{route="/v1/devices",status="500"}',
        'odograph_requests_total{route="other",status="404"}',
        'odograph_requests_total{route="other",status="405"}',
        'odograph_frames_total{result="accepted"}',
        'odograph_frames_total{result="duplicate"}',
        'odograph_frames_total{result="refused"}',
        'odograph_observations_total{kind="maintenance_failed"}',
        'odograph_observations_total{kind="broker_lost"}',
      ]),
    );
    answer(metrics, "/v1/devices", 500, 1);
    metrics.observe({ kind: "maintenance_failed", task: "partitions", cause: null });
    metrics.observe({ kind: "frames_stored", accepted: 3, duplicate: 0, refused: 1 });
    expect(Object.keys(counters())).toEqual(Object.keys(before));
    expect(counters()).toMatchObject({
      'odograph_requests_total{route="/v1/devices",status="500"}': 1,
      'odograph_observations_total{kind="maintenance_failed"}': 1,
      'odograph_frames_total{result="accepted"}': 3,
    });
  });

  test("tell a store in trouble from a sender that asks too much, and the sides apart", () => {
    const metrics = createMetrics({ "ingest /frames": [200] }, { "/devices": [200], "/portal/api/session": [200] });
    const errors = () => {
      const all = read(renderMetrics([metrics.snapshot()])).get("odograph_errors_total")?.samples ?? new Map();
      return Object.fromEntries([...all].map(([name, count]) => [name.slice("odograph_errors_total".length), count]));
    };
    const before = errors();
    const failed = { kind: "request_failed", requestId: "r", cause: new Failure("STORE_FULL", "full") } as const;
    const refused = { kind: "request_refused", requestId: "r", status: 429, code: "TOO_MANY_UPLOADS" } as const;
    metrics.observe({ ...failed, route: "ingest /frames" });
    metrics.observe({ ...failed, route: "/devices", cause: "no error" });
    metrics.observe({ ...refused, route: "ingest /frames" });
    metrics.observe({ ...refused, route: "/portal/api/session" });
    const counted = {
      '{side="ingest",code="STORE_FULL"}': 1,
      '{side="api",code="INTERNAL"}': 1,
      '{side="ingest",code="TOO_MANY_UPLOADS"}': 1,
      '{side="portal",code="TOO_MANY_UPLOADS"}': 1,
    };
    // Each was there with 0 before, so that the first is an increase.
    expect(Object.values(before)).toEqual(Object.values(before).map(() => 0));
    expect(errors()).toEqual({ ...before, ...counted });
    expect(Object.keys(errors()).toSorted()).toEqual(Object.keys(before).toSorted());
  });

  test("sort latencies into buckets that include all below", () => {
    const metrics = createMetrics();
    for (const durationMs of [0.2, 0.5, 3, 9_999, 60_000]) answer(metrics, "/v1/trips", 200, durationMs);
    const family = read(renderMetrics([metrics.snapshot()])).get("odograph_request_seconds");
    expect(family?.type).toBe("histogram");
    const bucket = (limit: string) =>
      family?.samples.get(`odograph_request_seconds_bucket{route="/v1/trips",le="${limit}"}`);
    expect(["0.0005", "0.001", "0.0025", "0.005", "5", "10", "+Inf"].map(bucket)).toEqual([2, 2, 2, 3, 3, 4, 5]);
    const counts = [...(family?.samples ?? [])].filter(([name]) => name.includes("_bucket")).map(([, count]) => count);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(family?.samples.get('odograph_request_seconds_count{route="/v1/trips"}')).toBe(5);
    expect(family?.samples.get('odograph_request_seconds_sum{route="/v1/trips"}')).toBeCloseTo(70.0027, 6);
  });

  test("of several processes are added up", () => {
    const [one, other] = [createMetrics(), createMetrics()];
    answer(one, "/devices", 200, 1);
    answer(other, "/devices", 200, 3);
    answer(other, "/trips", 404, 3);
    const families = read(renderMetrics([one.snapshot(), other.snapshot()]));
    expect(Object.fromEntries(families.get("odograph_requests_total")?.samples ?? [])).toEqual({
      'odograph_requests_total{route="/devices",status="200"}': 2,
      'odograph_requests_total{route="/trips",status="404"}': 1,
    });
    const latencies = families.get("odograph_request_seconds")?.samples;
    expect(latencies?.get('odograph_request_seconds_count{route="/devices"}')).toBe(2);
    expect(latencies?.get('odograph_request_seconds_bucket{route="/devices",le="0.001"}')).toBe(1);
    expect(families.get("odograph_processes")?.samples.get("odograph_processes")).toBe(2);
  });

  test("say whether the broker is connected, if there is one", () => {
    const metrics = createMetrics();
    const shown = () =>
      read(renderMetrics([createMetrics().snapshot(), metrics.snapshot()]))
        .get(name)
        ?.samples.get(name);
    const name = "odograph_broker_connected";
    expect(shown()).toBeUndefined();
    metrics.observe({ kind: "broker_connected", broker: "b:1883", clientId: "c", topics: "t" });
    expect(shown()).toBe(1);
    metrics.observe({ kind: "broker_lost", broker: "b:1883", reason: "gone", retryMs: 1 });
    expect(shown()).toBe(0);
  });

  test("say how large the store is, what is free beside it and when it was backed up, as far as that is known", () => {
    const metrics = createMetrics();
    const shown = () => {
      const families = read(renderMetrics([createMetrics().snapshot(), metrics.snapshot()]));
      return ["odograph_store_bytes", "odograph_store_free_bytes", "odograph_last_backup_timestamp_seconds"].map(
        (name) => families.get(name)?.samples.get(name),
      );
    };
    expect(shown()).toEqual([undefined, undefined, undefined]);
    metrics.observe({ kind: "store_measured", bytes: 4096, freeBytes: 8192, backupAt: 0 });
    expect(shown()).toEqual([4096, 8192, 0]);
    metrics.observe({ kind: "store_measured", bytes: 4096, freeBytes: null, backupAt: 1_800_000_000_500 });
    expect(shown()).toEqual([4096, undefined, 1_800_000_000.5]);
  });

  test("say whether retention was refused, on the node that leads", () => {
    const metrics = createMetrics();
    const name = "odograph_retention_refused";
    const shown = (isLeading: boolean) =>
      read(renderMetrics([createMetrics().snapshot(), { ...metrics.snapshot(), isLeading }]))
        .get(name)
        ?.samples.get(name);
    expect(shown(true)).toBeUndefined();
    metrics.observe({
      kind: "retention_refused",
      reason: "clock_ahead",
      before: "",
      clock: "",
      newestReceipt: null,
      sharePercent: null,
      accounts: null,
      advice: "",
    });
    expect([shown(true), shown(false)]).toEqual([1, 0]);
    metrics.observe({ kind: "retention_passed" });
    expect(shown(true)).toBe(0);
  });

  test("say where pages were read, if there is a replica, of all processes together", () => {
    const without = createMetrics();
    expect(renderMetrics([without.snapshot()])).not.toContain("replica_lag");
    const [first, second] = [createMetrics(), createMetrics()];
    first.observe({ kind: "replica_used", replica: "db:5432" });
    expect(renderMetrics([first.snapshot()])).toContain('odograph_page_reads_total{from="replica"} 0\n');
    first.observe({ kind: "replica_measured", lagBytes: 48 });
    second.observe({ kind: "replica_measured", lagBytes: 0 });
    first.observe({ kind: "page_read", from: "replica" });
    second.observe({ kind: "page_read", from: "replica" });
    second.observe({ kind: "page_read", from: "primary" });
    const families = read(renderMetrics([first.snapshot(), second.snapshot()]));
    expect(Object.fromEntries(families.get("odograph_page_reads_total")?.samples ?? [])).toEqual({
      'odograph_page_reads_total{from="primary"}': 1,
      'odograph_page_reads_total{from="replica"}': 2,
    });
    expect(families.get("odograph_replica_lag_bytes")?.samples.get("odograph_replica_lag_bytes")).toBe(48);
    for (const metrics of [first, second]) metrics.observe({ kind: "replica_measured", lagBytes: null });
    expect(renderMetrics([first.snapshot(), second.snapshot()])).not.toContain("replica_lag");
  });

  test("counts on when this process has no file left to open", () => {
    const script = `
      import { openSync } from "node:fs";
      import { createMetrics } from "./src/observe/metrics.ts";
      const metrics = createMetrics();
      const { residentBytes } = metrics.snapshot();
      try { while (true) openSync("/dev/null", "r"); } catch {}
      const left = metrics.snapshot().residentBytes;
      process.exit(residentBytes > 0 && left > 0 ? 0 : 1);`;
    const command = ["sh", "-c", 'ulimit -n 128; exec "$0" -e "$1"', process.execPath, script];
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: repository });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  });
});
