import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { servedWorld } from "../client/served-world.ts";
import { startWorld, stopWorld } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { runOdograph } from "../support/program.ts";

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly func?: string;
  readonly ret?: string;
  readonly wires?: readonly (readonly string[])[];
}

interface Message {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly payload?: unknown;
  readonly statusCode?: number;
}

const recipe = (name: string) => fileURLToPath(new URL(`../../examples/recipes/${name}`, import.meta.url));
const flow: readonly FlowNode[] = JSON.parse(await readFile(recipe("node-red-flow.json"), "utf8"));

/** Runs a node's code as Node-RED does, with the flow's context and the environment that it sees. */
function runNode(id: string, msg: Message, context: Map<string, unknown>, environment: Record<string, string>) {
  const code = flow.find((node) => node.id === id)?.func ?? "";
  const env = { get: (name: string) => environment[name] };
  const memory = { get: (name: string) => context.get(name), set: context.set.bind(context) };
  return new Function("msg", "flow", "env", code)(msg, memory, env);
}

test("the flow for Node-RED leads only to nodes that it has", () => {
  const ids = flow.map(({ id }) => id);
  for (const { wires = [] } of flow) for (const id of wires.flat()) expect(ids).toContain(id);
  // A parsed object would be a warning at every 304.
  for (const { type, ret } of flow) if (type === "http request") expect(ret).toBe("txt");
});

onOneEngine("the flow for Node-RED", (engine) => {
  test("takes a 304 for no news, and gives each alert once", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const environment = { FLEET_URL: server.url, FLEET_KEY: world.keys.olga };
    const context = new Map<string, unknown>();
    const look = async (ask: string, sort: string) => {
      const { url = "", headers = {} }: Message = runNode(ask, {}, context, environment);
      const response = await fetch(url, { headers });
      const answer = { payload: await response.text(), statusCode: response.status };
      const found = runNode(sort, { ...answer, headers: Object.fromEntries(response.headers) }, context, environment);
      return { status: response.status, found };
    };
    const first = await look("odo-ask", "odo-sort");
    expect([first.status, first.found[0].payload.length, first.found[1]]).toEqual([200, 3, null]);
    expect(await look("odo-ask", "odo-sort")).toEqual({ status: 304, found: null });

    expect((await look("odo-ask-2", "odo-sort-2")).found).toEqual([[], null]);
    const { imei } = world.devices.truck;
    const frame = {
      type: "frame",
      imei,
      recorded_at: new Date().toISOString(),
      latitude: 52.6,
      longitude: 13.5,
      event: "sos",
    };
    await runOdograph(["load", "-"], { env: world.store.env, input: JSON.stringify(frame) });
    const alerts = (await look("odo-ask-2", "odo-sort-2")).found[0].map(
      ({ payload }: { payload: { record: object } }) => payload.record,
    );
    expect(alerts).toContainEqual(expect.objectContaining({ alert_type: "sos", imei }));
    expect((await look("odo-ask-2", "odo-sort-2")).found).toEqual([[], null]);
    // Too old a place is given up, and the next look begins anew.
    context.set("after", "no token");
    expect((await look("odo-ask-2", "odo-sort-2")).found[1].statusCode).toBe(400);
    runNode("odo-sort-2", { statusCode: 410 }, context, environment);
    expect(context.get("after")).toBeUndefined();
    await server.stop();
    await stopWorld(world);
  });
});
