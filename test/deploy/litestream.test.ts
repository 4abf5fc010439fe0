import { expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { blocksOf } from "../docs/blocks.ts";
import { completeFleet } from "../docs/fleet.ts";
import { Stage } from "../docs/stage.ts";
import { until } from "../support/patience.ts";

const configuration = fileURLToPath(new URL("../../deploy/litestream/litestream.yml", import.meta.url));
const account = "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001";
const store = "--data /var/lib/odograph";

test("a copy by Litestream is restored as the page says, after both programs were killed", async () => {
  if (Bun.which("litestream") === null) return console.warn("not run, for want of litestream: deploy/litestream");
  const restoring = blocksOf("docs/operations.md").find(({ text }) => text.includes("litestream restore"))?.text ?? "";
  const stage = await Stage.open();
  const place = (path: string) => join(stage.directory, path.replaceAll("/", "-").slice(1));
  let litestream: Bun.Subprocess | null = null;
  try {
    for (const path of ["/var/lib/odograph", "/var/backups/odograph", "/etc/odograph-litestream.yml"])
      stage.mean(path, place(path));
    await mkdir(place("/var/backups/odograph"));
    const text = await readFile(configuration, "utf8");
    const placed = text.replaceAll(/\/var\/(?:lib|backups)\/odograph/g, place);
    const socket = join(stage.directory, "litestream.sock");
    const asked = `socket:\n  enabled: true\n  path: ${socket}\n`;
    await writeFile(place("/etc/odograph-litestream.yml"), placed + asked);

    await stage.write("fleet.ndjson", completeFleet);
    await stage.run(`odograph load fleet.ndjson ${store}`);
    await stage.run(`TOKEN=$(odograph ingest-tokens create --account ${account} --name Test ${store} 2> /dev/null)`);
    await stage.run(
      `KEY=$(odograph keys create --user ana@riverside.example --scopes all --name Test ${store} 2> /dev/null)`,
    );
    await stage.serve(`odograph serve ${store}`);
    const command = ["litestream", "replicate", "-config", place("/etc/odograph-litestream.yml")];
    litestream = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });

    const frames = Array.from({ length: 200 }, (_, index) => ({
      imei: "356307042441013",
      recorded_at: new Date(Date.UTC(2026, 2, 14, 8) + index * 10_000).toISOString(),
      latitude: 52.5 + index * 0.001,
      longitude: 13.4,
    }));
    await stage.write("frames.json", JSON.stringify(frames));
    await stage.run('curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8081/frames -d @frames.json');
    const history =
      'curl -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1/positions/history?imei=356307042441013&from=2026-03-14&to=2026-03-15&limit=500"';
    const before = (await stage.run(history)).output;
    expect(JSON.parse(before).data).toHaveLength(200);
    const token = JSON.parse((await stage.run('curl -H "X-API-Key: $KEY" http://127.0.0.1:8080/v1/changes')).output);

    await until(
      async () =>
        (await stage.run(`litestream sync -wait -socket ${socket} /var/lib/odograph/odograph.db`)).failed.length === 0,
    );
    litestream.kill("SIGKILL");
    await litestream.exited;
    await stage.stopServer("SIGKILL");
    await rm(place("/var/lib/odograph"), { recursive: true });

    const { failed } = await stage.run(restoring);
    expect(failed).toEqual([]);
    await stage.serve(`odograph serve ${store}`);
    expect((await stage.run(history)).output).toBe(before);
    const after = `curl -s -o /dev/null -w '%{http_code}' -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1/changes?after=${token.resume_after}"`;
    expect((await stage.run(after, "as it comes")).output).toBe("410");
  } finally {
    litestream?.kill("SIGKILL");
    await stage.close();
  }
});
