import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { repository } from "./blocks.ts";
import { completeFleet } from "./fleet.ts";
import { follow } from "./follow.ts";
import { Stage } from "./stage.ts";

const page = repository.get("docs/operations.md") ?? "";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", completeFleet);
  // The page has a server's directories; these are as empty.
  const places = ["/var/lib/odograph", "/var/backups/odograph", "/var/tmp/odograph-check"];
  for (const path of [...places, "/etc/systemd/system", "/etc/odograph-litestream.yml", "/usr/local/bin/litestream"]) {
    stage.mean(path, join(stage.directory, path.replaceAll("/", "-").slice(1)));
  }
  await stage.run("mkdir /etc/systemd/system");
  // What the reader has downloaded.
  await stage.write("litestream", "");
  await stage.run("odograph load fleet.ndjson --data /var/lib/odograph");
  await stage.serve("odograph serve --data /var/lib/odograph");
});
afterAll(() => stage.close());

follow("docs/operations.md", () => stage, {
  before: {
    // There is no systemd here that would do it.
    "sudo systemctl stop": (stage) => stage.stopServer(),
  },
});

test("every metric that the page names is there", async () => {
  await stage.serve("odograph serve --data /var/lib/odograph");
  const frame = '{"imei":"356307042441013","recorded_at":"2026-03-14T08:15:30Z"}';
  const account = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001";
  const token = `odograph ingest-tokens create --account ${account} --name Test --data /var/lib/odograph 2> /dev/null`;
  await stage.run(`curl -H "Authorization: Bearer $(${token})" http://127.0.0.1:8081/frames -d '${frame}'`);
  const { output } = await stage.run("curl http://127.0.0.1:8081/metrics");
  const [, section = ""] = /^## Metrics\n(.*?)^## /ms.exec(page) ?? [];
  const named = section.match(/\b(?:odograph|process)_[a-z_]+\b(?=[{`[ ])/g) ?? [];
  const there = new Set([...output.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name));
  // There is no replica here.
  const absent = ["odograph_page_reads_total", "odograph_replica_lag_bytes"];
  expect(named.filter((name) => !there.has(name))).toEqual(absent);
  expect(named.length).toBeGreaterThan(10);
  for (const [, label = ""] of page.matchAll(/\b(route|status|result|kind)[=!]~?"/g))
    expect(output).toContain(`${label}="`);
});

test("every kind of observation that the page names is there, and none is left out", () => {
  const source = repository.get("src/observe/observation.ts") ?? "";
  const kinds = [...source.matchAll(/kind: "(\w+)"/g)].map(([, kind = ""]) => kind);
  const [, table = ""] = /^## Logs\n(.*?)^## /ms.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, row = ""]) => row.match(/\w+/g) ?? []);
  expect(rows.sort()).toEqual(kinds.sort());
  const inRules = [...page.matchAll(/kind=~?"([\w|]+)"/g)].flatMap(([, names = ""]) => names.split("|"));
  expect(inRules.filter((kind) => !kinds.includes(kind))).toEqual([]);
});
