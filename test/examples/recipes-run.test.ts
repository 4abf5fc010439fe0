import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { servedWorld } from "../client/served-world.ts";
import { type DownloadedTool, folderOfTool } from "../clients/downloaded.ts";
import { runIn } from "../clients/run-in.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";
import { runOdograph } from "../support/program.ts";

/** Recipes in the programs that they are for, as far as registries have these. Where one cannot be had, that is said. */

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const recipe = (name: string) => readFile(fileOf(`../../examples/recipes/${name}`), "utf8");

const python: DownloadedTool = {
  name: "recipes-python",
  version: "pandas-3.1.1-geopandas-1.2.0",
  needs: ["python3", "-c", "import sys, venv; assert sys.version_info >= (3, 11)"],
  async download(folder) {
    await runIn(folder, ["python3", "-m", "venv", "."]);
    await runIn(folder, ["bin/pip", "install", "--quiet", "pandas==3.1.1", "geopandas==1.2.0", "pyogrio"]);
  },
};

const nodeRed: DownloadedTool = {
  name: "node-red",
  version: "4.1.15",
  needs: ["npm", "--version"],
  async download(folder) {
    await writeFile(join(folder, "package.json"), '{"private":true}');
    await runIn(folder, ["npm", "install", "--silent", "--no-audit", "--no-fund", `node-red@${nodeRed.version}`]);
  },
};

async function toolOr(tool: DownloadedTool): Promise<string | null> {
  const { folder, why } = await folderOfTool(tool);
  if (folder === undefined) console.log(`not run: ${tool.name} ${tool.version}: ${why}`);
  return folder ?? null;
}

onOneEngine("a recipe, run as it is", (engine) => {
  const opened = engine.shared(
    async (store) => {
      const world = await startWorld(store);
      return { world, server: servedWorld(world), folder: await mkdtemp(join(tmpdir(), "odograph-recipes-")) };
    },
    async ({ world, server, folder }) => {
      await server.stop();
      await stopWorld(world);
      await rm(folder, { recursive: true, force: true });
    },
  );

  /** What a table of the sums of each vehicle must have. */
  async function kilometres({ world, url }: { readonly world: ApiWorld; readonly url: string }) {
    const answer = await fetch(`${url}/reports/mileage?from=${thatDay.from}&to=${thatDay.to}`, {
      headers: { "X-API-Key": world.keys.olga },
    });
    const { data } = (await answer.json()) as { data: { name: string; distance_km: number }[] };
    const sums = new Map<string, number>();
    for (const { name, distance_km } of data) sums.set(name, (sums.get(name) ?? 0) + distance_km);
    expect(sums.size).toBeGreaterThan(1);
    return sums;
  }

  /** Runs one of the programs in Python, with the address and the day of the little world. */
  async function runPython(name: string): Promise<string | null> {
    const tool = await toolOr(python);
    if (tool === null) return null;
    const { world, server, folder } = opened();
    const program = (await recipe(name))
      .replaceAll("https://fleet.example/v1", server.url)
      .replace("from=2026-11-01&", `from=${thatDay.from}&to=${thatDay.to}&`)
      .replace('from_="2026-11-01"', `from_="${thatDay.from}", to="${thatDay.to}"`);
    await writeFile(join(folder, name), program);
    const env = { FLEET_KEY: world.keys.olga, PYTHONPATH: fileOf("../../client-python") };
    return runIn(folder, [join(tool, "bin/python"), name], env);
  }

  test("DuckDB sums up a CSV that was downloaded", async () => {
    const { withDuckDb } = await import("../support/duckdb.ts");
    const { world, server, folder } = opened();
    const address = `${server.url}/reports/mileage?from=${thatDay.from}&to=${thatDay.to}&format=csv`;
    const csv = join(folder, "mileage.csv");
    await Bun.write(csv, await fetch(address, { headers: { "X-API-Key": world.keys.olga } }));
    const query = (await recipe("mileage.sql")).replace("'mileage.csv'", `'${csv}'`);
    const rows = await withDuckDb("UTC", (run) => run(query));
    const sums = await kilometres({ world, url: server.url });
    expect(Object.fromEntries(rows.map(({ name, km }) => [name, Math.round(Number(km) * 1e3)]))).toEqual(
      Object.fromEntries(Array.from(sums, ([name, km]) => [name, Math.round(km * 1e3)])),
    );
  });

  test("pandas sums up mileage by vehicle, and trips by driver", async () => {
    const printed = await runPython("mileage.py");
    if (printed === null) return;
    const sums = await kilometres({ world: opened().world, url: opened().server.url });
    const [most] = [...sums].sort(([, one], [, other]) => other - one);
    expect(printed).toContain(most?.[0] ?? "");
    expect(printed).toContain("driver_name");
  });

  test("geopandas gets fences as areas", async () => {
    if ((await runPython("fences.py")) === null) return;
    const tool = await toolOr(python);
    const look = [
      "import geopandas, json",
      "fences = geopandas.read_file('fences.gpkg')",
      "print(json.dumps({name: kind for name, kind in zip(fences['name'], fences.geom_type)}))",
    ].join("\n");
    const kinds = JSON.parse(await runIn(opened().folder, [join(tool ?? "", "bin/python"), "-c", look]));
    expect(Object.keys(kinds).length).toBeGreaterThan(2);
    expect(new Set(Object.values(kinds))).toEqual(new Set(["Polygon"]));
  });

  test("Node-RED gives positions and new alerts with the flow imported", async () => {
    const tool = await toolOr(nodeRed);
    if (tool === null) return;
    const { world, server, folder } = opened();
    const flow = (await recipe("node-red-flow.json")).replace('"repeat": "30"', '"repeat": "1"');
    await writeFile(join(folder, "flows.json"), flow);
    await writeFile(
      join(folder, "settings.js"),
      'module.exports = { flowFile: "flows.json", editorTheme: { tours: false } };',
    );
    const child = Bun.spawn(
      ["node", join(tool, "node_modules/node-red/red.js"), "-u", folder, "-p", "0", "-s", join(folder, "settings.js")],
      {
        env: { ...process.env, FLEET_URL: server.url, FLEET_KEY: world.keys.olga },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    let printed = "";
    const reading = (async () => {
      for await (const part of child.stdout) printed += Buffer.from(part).toString();
    })();
    try {
      await until(() => printed.includes("[debug:positions]"));
      await until(() => server.requests.some(({ url }) => url.includes("/changes?") && url.includes("after=")));
      const { imei } = world.devices.truck;
      const frame = { imei, recorded_at: new Date().toISOString(), latitude: 52.6, longitude: 13.5, event: "sos" };
      await runOdograph(["load", "-"], { env: world.store.env, input: JSON.stringify({ type: "frame", ...frame }) });
      await until(() => printed.includes("[debug:alerts]"));
      expect(printed).not.toContain("[debug:trouble]");
    } finally {
      child.kill();
      await reading;
    }
  });
});

test("the page of recipes shows what the files say", async () => {
  const page = (await readFile(fileOf("../../docs/recipes.md"), "utf8")).replaceAll("\r", "");
  for (const name of ["mileage.py", "fences.py", "mileage.sql", "home-assistant.yaml"])
    expect([name, page]).toEqual([name, expect.stringContaining(await recipe(name))]);
});
