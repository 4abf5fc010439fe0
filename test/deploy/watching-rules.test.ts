import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const rulesFile = fileURLToPath(new URL("../../deploy/prometheus/rules.yml", import.meta.url));
const configFile = fileURLToPath(new URL("../../deploy/prometheus/prometheus.yml", import.meta.url));

/** A value a minute, in promtool's notation: `0+6x60` begins at 0 and rises by 6, sixty times. */
type Series = Readonly<Record<string, string>>;

const requests = (route: string, status: number) => `odograph_requests_total{route="${route}",status="${status}"}`;
const errors = (side: string, code: string) => `odograph_errors_total{side="${side}",code="${code}"}`;
const frames = (result: string) => `odograph_frames_total{result="${result}"}`;
const refusedTrackers = (reason: string) => `odograph_tracker_refused_total{family="gt06",reason="${reason}"}`;
const observed = (kind: string) => `odograph_observations_total{kind="${kind}"}`;
const within = (seconds: string) => `odograph_request_seconds_bucket{route="/devices",le="${seconds}"}`;
const [idle, busy] = ["7x240", "0+60x240"] as const;
/** The counter rises once, in the tenth minute. */
const once = "0x10 1x230";
/** Rises every five minutes. */
const everyFive = "0x4 1x4 2x4 3x4 4x4 5x4 6x4 7x4";
const monitoring = { [requests("ingest /ready", 200)]: busy, [requests("ingest /metrics", 200)]: busy } as const;

/** For each alert: what makes it fire, also in other ways, and what must not though it comes near. */
const cases: Readonly<
  Record<
    string,
    {
      readonly fires: Series;
      readonly alsoFires?: readonly Series[];
      readonly silent: Series;
      readonly alsoSilent?: readonly Series[];
    }
  >
> = {
  OdographDown: { fires: { up: "1x5 0x10" }, silent: { up: "1x20" } },
  OdographMailsWait: {
    fires: { 'odograph_notification_mails_total{result="delayed"}': "0+1x120" },
    alsoFires: [{ 'odograph_report_mails_total{result="delayed"}': "0x10 0+1x120" }],
    // A server that was away for a minute.
    silent: {
      'odograph_report_mails_total{result="delayed"}': "0x10 1x5",
      'odograph_report_mails_total{result="sent"}': busy,
    },
  },
  OdographMailsFail: {
    fires: { 'odograph_report_mails_total{result="failed"}': "0x10 1x20" },
    alsoFires: [{ 'odograph_notification_mails_total{result="failed"}': "0x10 1x20" }],
    silent: { 'odograph_notification_mails_total{result="sent"}': busy },
  },
  OdographRestarts: {
    fires: { process_uptime_seconds: "60 120 30 90 20 80 10 70 130+60x20" },
    // An upgrade that went wrong once.
    silent: { process_uptime_seconds: "60 120 30 90 20 80 140+60x20" },
  },
  OdographNobodyLeads: {
    fires: { odograph_leading: "0x20" },
    silent: { odograph_leading: "0x20", 'odograph_leading{instance="b"}': "1x20" },
  },
  OdographWorkerAway: {
    fires: { [observed("worker_failed")]: "0x15 0+6x10" },
    silent: { [observed("worker_failed")]: once, [observed("request_failed")]: busy },
  },
  OdographFramesNotStored: {
    // A few senders that try again once a minute.
    fires: { [errors("ingest", "STORE_FULL")]: "0x12 0+1x20" },
    alsoFires: [
      // A lone sender that tries again every five minutes, on a full disk and with a fault of ours.
      { [errors("ingest", "STORE_FULL")]: everyFive, [frames("accepted")]: "0+1x3 3x30" },
      { [errors("ingest", "INTERNAL")]: everyFive, [requests("ingest /frames", 500)]: everyFive, ...monitoring },
      {
        [errors("ingest", "INTERNAL")]: busy,
        [requests("ingest /frames", 500)]: busy,
        [requests("ingest /frames", 200)]: "0+6x240",
      },
    ],
    alsoSilent: [
      // A lone sender that was refused once and had its frames stored with the next try.
      { [errors("ingest", "STORE_UNREACHABLE")]: "0x13 1x20", [frames("accepted")]: "0x4 1x4 2x4 2x4 3x20" },
      // One message, and a few of many.
      { [errors("ingest", "INTERNAL")]: "0x15 1x20", [requests("ingest /frames", 500)]: "0x15 1x20", ...monitoring },
      {
        [errors("ingest", "INTERNAL")]: "0+3x240",
        [requests("ingest /frames", 500)]: "0+3x240",
        [requests("ingest /frames", 200)]: busy,
      },
    ],
    // One failure a moment ago, a sender that asks too much, and readers without a store.
    silent: {
      [errors("ingest", "STORE_UNREACHABLE")]: "0x18 1x20",
      [frames("accepted")]: busy,
      [errors("ingest", "TOO_MANY_UPLOADS")]: busy,
      [errors("ingest", "UNAVAILABLE")]: busy,
      [requests("ingest /frames", 503)]: busy,
      [errors("api", "STORE_UNREACHABLE")]: busy,
    },
  },
  OdographUploadsRefused: {
    fires: { [errors("ingest", "TOO_MANY_UPLOADS")]: "0+2x240" },
    silent: { [errors("ingest", "TOO_MANY_UPLOADS")]: "0x10 4x230", [errors("ingest", "STORE_FULL")]: busy },
  },
  OdographNoFrames: {
    fires: { [frames("accepted")]: idle, [frames("refused")]: busy },
    silent: { [frames("accepted")]: busy },
  },
  OdographFramesRefused: {
    fires: { [frames("accepted")]: busy, [frames("refused")]: "0+6x240" },
    silent: { [frames("accepted")]: busy, [frames("refused")]: "0+1x240" },
  },
  OdographTrackerPlaces: {
    fires: { [refusedTrackers("no_place")]: "0x10 3x20" },
    alsoFires: [
      { [refusedTrackers("too_many_connections")]: "0x10 1x20" },
      {
        'odograph_tracker_places{state="logged_in"}': "700x20",
        'odograph_tracker_places{state="waiting"}': "20x20",
        'odograph_tracker_places_limit{of="all"}': "768x20",
        'odograph_tracker_places_limit{of="before_login"}': "384x20",
      },
    ],
    silent: {
      [refusedTrackers("unknown")]: busy,
      [refusedTrackers("no_place")]: idle,
      'odograph_tracker_places{state="logged_in"}': "600x240",
      'odograph_tracker_places_limit{of="all"}': "768x240",
    },
  },
  OdographTokenRefused: {
    fires: { [errors("ingest", "INVALID_INGEST_TOKEN")]: "0+12x240" },
    silent: {
      [errors("ingest", "INVALID_INGEST_TOKEN")]: "0+3x240",
      [errors("ingest", "TOO_MANY_UPLOADS")]: busy,
      [errors("api", "INVALID_API_KEY")]: busy,
    },
  },
  OdographRequestsFail: {
    fires: { [observed("request_failed")]: "0x18 1x10" },
    silent: { [observed("request_failed")]: once, [observed("request_refused")]: busy },
  },
  OdographSlow: {
    fires: { [within("0.25")]: "0+50x240", [within("0.5")]: busy, [within("+Inf")]: busy },
    silent: { [within("0.1")]: busy, [within("0.25")]: busy, [within("+Inf")]: busy },
  },
  OdographLimited: {
    fires: { [requests("/devices", 200)]: busy, [requests("/devices", 429)]: "0+20x240" },
    silent: { [requests("/devices", 200)]: busy, [requests("/devices", 429)]: "0+3x240" },
  },
  OdographMaintenanceFails: {
    fires: { [observed("maintenance_failed")]: "0x12 1x10" },
    silent: { [observed("maintenance_failed")]: idle },
  },
  OdographClock: {
    fires: { [observed("clock_differs")]: "0x12 1x10" },
    silent: { [observed("clock_differs")]: idle, [observed("clock_compared")]: busy },
  },
  OdographBrokerAway: {
    fires: { odograph_broker_connected: "1 0x30" },
    silent: { odograph_broker_connected: "1x5 0x3 1x30" },
  },
  OdographBrokerNotStored: {
    fires: { [observed("broker_messages_not_stored")]: "0+1x240" },
    silent: { [observed("broker_messages_not_stored")]: "0x9 1x230" },
  },
  OdographReplicaBehind: {
    fires: { odograph_replica_lag_bytes: "200000000x240" },
    silent: { odograph_replica_lag_bytes: "50000000x240" },
  },
  OdographUpgradeStuck: {
    fires: { odograph_devices_waiting: "40x240" },
    silent: { odograph_devices_waiting: "400-1x240" },
  },
  OdographVersionsDiffer: {
    fires: {
      'odograph_build_info{instance="a",version="1.2.0"}': "1x240",
      'odograph_build_info{instance="b",version="1.1.0"}': "1x240",
    },
    silent: {
      'odograph_build_info{instance="a",version="1.2.0"}': "1x240",
      'odograph_build_info{instance="b",version="1.2.0"}': "1x240",
    },
  },
  OdographMemory: {
    fires: { process_resident_memory_bytes: "3000000000x60", odograph_processes: "2x60" },
    silent: { process_resident_memory_bytes: "3000000000x60", odograph_processes: "4x60" },
  },
};

/** The store and its clock. In these tests it is 1970. */
const ofStore: typeof cases = {
  OdographReadersFail: {
    fires: { [requests("/devices", 200)]: busy, [requests("/devices", 500)]: "0+20x240" },
    // A few of many; and senders are another alert's.
    silent: {
      [requests("/devices", 200)]: busy,
      [requests("/devices", 500)]: "0+3x240",
      [requests("ingest /frames", 503)]: busy,
    },
  },
  OdographDiskAlmostFull: {
    fires: { odograph_store_free_bytes: "900000000x60" },
    silent: { odograph_store_free_bytes: "2000000000x60" },
  },
  OdographDiskFills: {
    // 10 GB, and 10 MB less each minute; the same in two months.
    fires: { odograph_store_free_bytes: "10000000000-10000000x240" },
    silent: { odograph_store_free_bytes: "10000000000-100000x240" },
  },
  OdographBackupOld: {
    fires: { odograph_last_backup_timestamp_seconds: "-140000x240" },
    alsoFires: [
      // Two servers on SQLite: one backup says nothing of the other store.
      {
        'odograph_last_backup_timestamp_seconds{instance="a"}': "-100x240",
        'odograph_store_free_bytes{instance="a"}': "2000000000x240",
        'odograph_last_backup_timestamp_seconds{instance="b"}': "-900000x240",
        'odograph_store_free_bytes{instance="b"}': "2000000000x240",
      },
    ],
    // Of two nodes, one has made it.
    silent: {
      'odograph_last_backup_timestamp_seconds{instance="a"}': "-100000x240",
      'odograph_last_backup_timestamp_seconds{instance="b"}': "-900000x240",
    },
  },
  OdographRetentionRefused: {
    fires: { odograph_retention_refused: "0x5 1x20" },
    silent: { odograph_retention_refused: "1x3 0x20", [observed("retention_refused")]: once },
  },
  OdographClockAhead: {
    fires: { odograph_clock_ahead_seconds: "5184000x30", odograph_store_free_bytes: "2000000000x30" },
    // With PostgreSQL, which the node follows, and no free space is known.
    silent: { odograph_clock_ahead_seconds: "5184000x30" },
  },
};

const allCases = { ...cases, ...ofStore };

/** When it is looked at: later for alerts that wait for long. */
const lookAt: Readonly<Record<string, string>> = {
  OdographFramesRefused: "60m",
  OdographLimited: "60m",
  OdographSlow: "40m",
  OdographNoFrames: "30m",
  OdographRequestsFail: "25m",
  OdographTokenRefused: "40m",
  OdographUploadsRefused: "40m",
  OdographBrokerNotStored: "35m",
  OdographReplicaBehind: "30m",
  OdographUpgradeStuck: "150m",
  OdographVersionsDiffer: "90m",
  OdographMemory: "30m",
  OdographDiskFills: "150m",
  OdographBackupOld: "90m",
};

let scratch = "";

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "odograph-rules-"));
});

afterAll(() => rm(scratch, { recursive: true }));

/** Null, with a line that says so, on a machine that has none. */
function promtool(): string | null {
  const found = Bun.which("promtool");
  if (found === null) console.log("not run: promtool is not installed here, so nobody has tried the alerts");
  return found;
}

async function run(...command: string[]) {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, text: out + error };
}

const alerts = [...(await Bun.file(rulesFile).text()).matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = ""]) => name);

test("every alert is tried", () => {
  expect(alerts.toSorted()).toEqual(Object.keys(allCases).toSorted());
});

test("every alert is in the list for operators, with its severity", async () => {
  const rules = await Bun.file(rulesFile).text();
  const page = await Bun.file(new URL("../../docs/watching.md", import.meta.url)).text();
  for (const name of alerts) {
    const severity = new RegExp(`alert: ${name}\\n.*?severity: (\\w+)`, "s").exec(rules)?.[1];
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| ${severity} \\|`, "m"));
  }
});

test("Prometheus takes the rules and the configuration", async () => {
  const tool = promtool();
  if (tool === null) return;
  expect(await run(tool, "check", "config", "--lint=all", "--lint-fatal", configFile)).toMatchObject({ code: 0 });
});

test("every alert fires when it should, and only then", async () => {
  const tool = promtool();
  if (tool === null) return;
  const of = (series: string) => {
    const labels = /\bjob=/.test(series) ? "" : 'job="odograph"';
    const [name = "", rest = ""] = series.split("{");
    return rest === "" ? `${name}{${labels}}` : `${name}{${labels},${rest}`;
  };
  const tests = Object.entries(allCases).flatMap(([alertname, { fires, alsoFires = [], silent, alsoSilent = [] }]) =>
    [
      ...[fires, ...alsoFires].map((series) => ({ series, isFiring: true })),
      ...[silent, ...alsoSilent].map((series) => ({ series, isFiring: false })),
    ].map(({ series, isFiring }) => ({
      name: `${alertname} ${isFiring ? "fires" : "is silent"}: ${Object.keys(series).join(", ")}`,
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: of(name), values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: lookAt[alertname] ?? "20m",
          exp_samples: isFiring ? [{ labels: "{}", value: 1 }] : [],
        },
      ],
    })),
  );
  const file = join(scratch, "tests.json");
  await writeFile(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }));
  expect(await run(tool, "test", "rules", file)).toMatchObject({ code: 0 });
});
