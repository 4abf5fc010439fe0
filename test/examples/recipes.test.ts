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

interface WorkflowNode {
  readonly name: string;
  readonly parameters: { readonly jsCode?: string };
}

onOneEngine("the workflow for n8n", (engine) => {
  test("gives each alert once, and begins anew when its place has expired", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const { nodes }: { nodes: readonly WorkflowNode[] } = JSON.parse(
      await readFile(recipe("n8n-workflow.json"), "utf8"),
    );
    const memory: { after?: string } = {};
    /** As n8n runs a Code node. */
    const runCode = (name: string, json: object) => {
      const code = nodes.find((node) => node.name === name)?.parameters.jsCode ?? "";
      const words = ["$input", "$getWorkflowStaticData"];
      const item = { first: () => ({ json }) };
      return new Function(...words, code)(item, () => memory) as { json: Record<string, unknown> }[];
    };
    const run = async (forced?: { statusCode: number; body: object }) => {
      const [{ json: asked } = { json: {} }] = runCode("Where it stopped", {});
      const url = String(asked.url).replace("https://fleet.example/v1", server.url);
      const answer = await fetch(url, { headers: { "X-API-Key": world.keys.olga } });
      return runCode("Each alert", forced ?? { statusCode: answer.status, body: (await answer.json()) as object });
    };
    expect(await run()).toEqual([]);
    expect(memory.after).toBeString();
    const { imei, name } = world.devices.truck;
    const frame = { imei, recorded_at: new Date().toISOString(), latitude: 52.6, longitude: 13.5, event: "sos" };
    await runOdograph(["load", "-"], { env: world.store.env, input: JSON.stringify({ type: "frame", ...frame }) });
    const found = (await run()).map(({ json }) => json);
    expect(found).toContainEqual(expect.objectContaining({ alert_type: "sos", imei, device_name: name }));
    expect(await run()).toEqual([]);
    expect(await run({ statusCode: 410, body: {} })).toEqual([]);
    expect(memory.after).toBeUndefined();
    await server.stop();
    await stopWorld(world);
  });
});

onOneEngine("the dashboard for Grafana", (engine) => {
  test("asks for what there is, also for a range within one day", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const dashboard = JSON.parse(await readFile(recipe("grafana-dashboard.json"), "utf8"));
    const targets = dashboard.panels.flatMap((panel: { targets: object[] }) => panel.targets);
    for (const { url, root_selector, columns } of targets) {
      // As its documentation says variables of time are written in addresses.
      const [from, to] = ["2026-06-15T08:00:00.000Z", "2026-06-15T14:00:00.000Z"];
      const address = url
        .replace("https://fleet.example/v1", server.url)
        .replace("$" + "{__from:date:iso}", from)
        .replace("$" + "{__to:date:iso}", to);
      const answer = await fetch(address, { headers: { "X-API-Key": world.keys.olga } });
      expect([address, answer.status, answer.headers.get("X-Ignored-Parameters")]).toEqual([address, 200, null]);
      const [row] = ((await answer.json()) as Record<string, Record<string, unknown>[]>)[root_selector] ?? [];
      for (const { selector } of columns) expect(row).toHaveProperty(selector);
    }
    await server.stop();
    await stopWorld(world);
  });
});
