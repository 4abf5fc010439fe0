import { expect, test } from "bun:test";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { becomesWithin } from "../support/patience.ts";
import { runOdograph, startOdograph } from "../support/program.ts";

const { acme, ann, olga, bob } = smallFleet;

const noticedWithinMs = 1_000;

async function odograph(store: EmptyStore, args: readonly string[], input = ""): Promise<string> {
  const { code, stdout, stderr } = await runOdograph(args, { env: store.env, input });
  expect([args, code, stderr]).toEqual([args, 0, stderr]);
  return stdout;
}

async function makeKey(store: EmptyStore, email: string): Promise<{ id: string; key: string }> {
  return JSON.parse(
    await odograph(store, ["keys", "create", "--user", email, "--name", "x", "--scopes", "all", "--json"]),
  );
}

onEachEngine("a running server", (engine) => {
  test("notices within a second what is revoked, disabled, suspended and given back beside it", async () => {
    const store = await engine.empty();
    await odograph(store, ["load", "-"], fleetText(Object.values(smallFleet)));
    const [ofAnn, ofOlga, ofBob] = await Promise.all([ann, olga, bob].map(({ email }) => makeKey(store, email)));
    if (!ofAnn || !ofOlga || !ofBob) throw new Error("a key is missing");
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0", "--log-level", "debug"], store);
    const status = async ({ key }: { key: string }) =>
      (await fetch(`${server.url}/v1/devices`, { headers: { "X-API-Key": key } })).status;
    const becomes = (key: { key: string }, wanted: number) => becomesWithin(noticedWithinMs, wanted, () => status(key));
    for (const key of [ofAnn, ofOlga, ofBob]) expect(await status(key)).toBe(200);

    await odograph(store, ["keys", "revoke", ofAnn.id]);
    await becomes(ofAnn, 401);
    expect(await status(ofOlga)).toBe(200);
    await odograph(store, ["load", "-"], fleetText([{ ...bob, status: "disabled" }]));
    await becomes(ofBob, 401);
    await odograph(store, ["load", "-"], fleetText([{ ...acme, status: "suspended" }]));
    await becomes(ofOlga, 401);
    await odograph(store, ["load", "-"], fleetText([acme, bob]));
    await becomes(ofOlga, 200);
    await becomes(ofBob, 200);
    expect(await status(ofAnn)).toBe(401);

    const { code, stdout, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stderr).toContain("request_answered");
    for (const { key } of [ofAnn, ofOlga, ofBob]) expect(stdout + stderr).not.toContain(key.slice(12));
  });
});
