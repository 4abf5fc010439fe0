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
const frames = (result: string) => `odograph_frames_total{result="${result}"}`;
const observed = (kind: string) => `odograph_observations_total{kind="${kind}"}`;
const within = (seconds: string) => `odograph_request_seconds_bucket{route="/devices",le="${seconds}"}`;
const [idle, busy] = ["7x240", "0+60x240"] as const;
/** The counter rises once, in the tenth minute. */
const once = "0x10 1x230";

/** For each alert: what makes it fire, and what must not though it comes near. */
const cases: Readonly<Record<string, { readonly fires: Series; readonly silent: Series }>> = {
  OdographDown: { fires: { up: "1x5 0x10" }, silent: { up: "1x20" } },
  OdographRestarts: {
    fires: { process_uptime_seconds: "60 120 30 90 20 80 10 70 130+60x20" },
    // An upgrade that went wrong once.
    silent: { process_uptime_seconds: "60 120 30 90 20 80 140+60x20" },
  },
  OdographNobodyLeads: {
    fires: { odograph_leading: "0x20" },
    silent: { odograph_leading: "0x20", 'odograph_leading{instance="b"}': "1x20" },
  },
  OdographFramesNotStored: {
    fires: { [requests("ingest /frames", 503)]: "0x15 1x10" },
    silent: { [requests("ingest /frames", 503)]: idle, [requests("/devices", 500)]: busy },
  },
  OdographNoFrames: {
    fires: { [frames("accepted")]: idle, [frames("refused")]: busy },
    silent: { [frames("accepted")]: busy },
  },
  OdographFramesRefused: {
    fires: { [frames("accepted")]: busy, [frames("refused")]: "0+6x240" },
    silent: { [frames("accepted")]: busy, [frames("refused")]: "0+1x240" },
  },
  OdographTokenRefused: {
    fires: { [requests("ingest /frames", 401)]: "0+12x240" },
    silent: { [requests("ingest /frames", 401)]: "0+3x240", [requests("/devices", 401)]: busy },
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

/** When it is looked at: later for alerts that wait for long. */
const lookAt: Readonly<Record<string, string>> = {
  OdographFramesRefused: "60m",
  OdographLimited: "60m",
  OdographSlow: "40m",
  OdographNoFrames: "30m",
  OdographRequestsFail: "25m",
  OdographTokenRefused: "40m",
  OdographBrokerNotStored: "35m",
  OdographReplicaBehind: "30m",
  OdographUpgradeStuck: "150m",
  OdographVersionsDiffer: "90m",
  OdographMemory: "30m",
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
  expect(alerts.toSorted()).toEqual(Object.keys(cases).toSorted());
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
  const tests = Object.entries(cases).flatMap(([alertname, { fires, silent }]) =>
    [fires, silent].map((series) => ({
      name: `${alertname} ${series === fires ? "fires" : "is silent"}`,
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: of(name), values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: lookAt[alertname] ?? "20m",
          exp_samples: series === fires ? [{ labels: "{}", value: 1 }] : [],
        },
      ],
    })),
  );
  const file = join(scratch, "tests.json");
  await writeFile(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }));
  expect(await run(tool, "test", "rules", file)).toMatchObject({ code: 0 });
});
