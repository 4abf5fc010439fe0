import { expect, test } from "bun:test";
import { startServer } from "../support/ingest-server.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";
import { runOdograph, spawnOdograph } from "../support/program.ts";
import { countFrames } from "../support/stored-frames.ts";

onOneEngine("odograph simulate", (engine) => {
  test("sends its fleet's frames at a rate, and tells what became of them", async () => {
    const store = await engine.fresh();
    const world = ["--vehicles", "3", "--seed", "7"];
    const fleet = await runOdograph(["simulate", "--fleet", ...world]);
    expect((await runOdograph(["load", "-"], { ...store, input: fleet.stdout })).code).toBe(0);
    const { id } = JSON.parse(fleet.stdout.split("\n")[0] ?? "") as { id: string };
    const created = await runOdograph(["ingest-tokens", "create", "--account", id, "--name", "sim", "--json"], store);
    const { token } = JSON.parse(created.stdout) as { token: string };
    const server = await startServer(store);
    const to = ["--to", server.ingestUrl, "--rate", "100000", "--days", "1"];
    const env = { ODOGRAPH_INGEST_TOKEN: token };
    const counts = /^(\d+) frames sent .*: (\d+) accepted, (\d+) duplicate, 0 refused; p50 [\d.]+ ms, p99 [\d.]+ ms$/m;
    const sending = spawnOdograph(["simulate", ...to, ...world], { env });
    await until(async () => (await countFrames(store.database)) > 100);
    sending.kill("SIGTERM");
    const printed = await new Response(sending.stdout).text();
    expect(await sending.exited).toBe(0);
    const [, frames = 0, accepted = 0, duplicate = 0] = (counts.exec(printed) ?? []).map(Number);
    expect(accepted).toBeGreaterThan(100);
    expect(accepted + duplicate).toBe(frames);
    const short = await runOdograph(["simulate", ...to, ...world, "--seconds", "1"], { env });
    expect([short.code, short.stdout]).toEqual([0, expect.stringMatching(/^\d+ frames? sent .*, 0 refused; /m)]);
    const stranger = await runOdograph(["simulate", "--to", server.ingestUrl, "--token", "odi_wrong", "--rate", "9"]);
    expect(stranger).toMatchObject({ code: 1, stdout: "" });
    expect(stranger.stderr).toContain("answered 401");
    await server.stop();
  });
});

test("a wrong call is explained in one line", async () => {
  expect(await runOdograph(["simulate"])).toMatchObject({ code: 2, stderr: "odograph: --to is missing\n" });
  expect(await runOdograph(["simulate", "--to", "http://127.0.0.1:1"])).toMatchObject({ code: 2 });
  const nowhere = await runOdograph(["simulate", "--to", "elsewhere", "--token", "t"]);
  expect(nowhere).toMatchObject({ code: 2 });
  expect(nowhere.stderr).toContain('--to: expected an address such as http://127.0.0.1:8081, got "elsewhere"');
});
