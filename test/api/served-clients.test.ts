import { expect, test } from "bun:test";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { clientDeclarations } from "../../scripts/client-declarations.ts";
import { startApi } from "../support/api.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { inFolder, programNamed, typescriptCompiler } from "../support/samples.ts";

const { version } = packageFile;
const names = [`odograph-client-${version}.tgz`, `odograph_client-${version}-py3-none-any.whl`] as const;

test("the client's declarations are its sources'; `bun scripts/client-declarations.ts` writes them anew", async () => {
  for (const [path, text] of Object.entries(await clientDeclarations()))
    expect(await Bun.file(path).text(), path).toBe(text);
});

onOneEngine("the clients that the server hands out", (engine) => {
  const given = engine.shared(
    async ({ database }) => {
      const { api, close } = await startApi(database);
      const ask = (path: string, headers: Record<string, string> = {}) =>
        api.answer(new Request(`http://fleet.test${path}`, { headers }), () => "127.0.0.1");
      return { ask, close };
    },
    ({ close }) => close(),
  );

  test("are on one page, with the lines that install them from the address at which it was found", async () => {
    const page = await (await given().ask("/docs/clients/", { host: "fleet.test:8080" })).text();
    for (const [index, name] of names.entries()) {
      expect(page).toContain(`${["npm", "pip"][index]} install http://fleet.test:8080/docs/clients/${name}`);
    }
    const secure = { host: "fleet.test", "x-forwarded-proto": "https" };
    expect(await (await given().ask("/docs/clients/", secure)).text()).toContain(
      "npm install https://fleet.test/docs/",
    );
    const odd = await (await given().ask("/docs/clients/", { host: "x;rm -rf" })).text();
    expect(odd).toContain("npm install http://SERVER/docs/");
    const { status, headers } = await given().ask("/docs/clients");
    expect([status, headers.get("Location")]).toEqual([302, "clients/"]);
    expect((await given().ask("/docs/clients/odograph-client-0.0.0.tgz")).status).toBe(404);
  });

  test("are files with a tag, the same whenever they are packed", async () => {
    for (const [index, name] of names.entries()) {
      const response = await given().ask(`/docs/clients/${name}`);
      expect(response.headers.get("Content-Type")).toBe(["application/gzip", "application/zip"][index] ?? "");
      const tag = response.headers.get("ETag") ?? "";
      expect((await given().ask(`/docs/clients/${name}`, { "If-None-Match": tag })).status).toBe(304);
    }
  });

  test("install: a program in TypeScript compiles against the package, and one in JavaScript runs with it", async () => {
    const archive = await (await given().ask(`/docs/clients/${names[0]}`)).bytes();
    const program = `import { OdographClient, OdographError, type Trip } from "odograph-client";
const client = new OdographClient({ url: "http://127.0.0.1:9/v1", key: "odo_x" });
const read = async (): Promise<Trip[]> => {
  const trips: Trip[] = [];
  for await (const trip of client.listTrips({ fields: "distance_km", tag: "cold" })) trips.push(trip);
  return trips;
};
console.log(typeof read, typeof OdographError);
`;
    const settings = { module: "NodeNext", target: "ES2022", strict: true, noEmit: true, types: [] };
    const files = {
      "main.ts": program,
      "main.mjs": program.replace(/, type Trip|: Trip\[\]|: Promise<Trip\[\]>/g, ""),
      "package.json": '{"type":"module"}',
      "tsconfig.json": JSON.stringify({ compilerOptions: settings, files: ["main.ts"] }),
    };
    await inFolder(files, async (folder) => {
      const installed = join(folder, "node_modules/odograph-client");
      await new Bun.Archive(archive).extract(installed);
      Bun.spawnSync(["sh", "-c", "mv package/* . && rmdir package"], { cwd: installed });
      const compiled = Bun.spawnSync([typescriptCompiler, "--project", folder]);
      expect(compiled.stdout.toString()).toBe("");
      const node = programNamed("node") ?? process.execPath;
      const run = Bun.spawnSync([node, join(folder, "main.mjs")]);
      expect([run.stdout.toString(), run.stderr.toString()]).toEqual(["function function\n", ""]);
    });
  });

  test("install: pip takes the wheel, checks its list of files, and Python imports it", async () => {
    const python = programNamed("python3");
    if (python === null || !Bun.spawnSync([python, "-m", "pip", "--version"]).success) return;
    const wheel = await (await given().ask(`/docs/clients/${names[1]}`)).bytes();
    await inFolder({}, async (folder) => {
      await Bun.write(join(folder, names[1]), wheel);
      const words = [
        "install",
        "--quiet",
        "--no-index",
        "--disable-pip-version-check",
        "--target",
        join(folder, "site"),
      ];
      const pip = Bun.spawnSync([python, "-m", "pip", ...words, join(folder, names[1])]);
      expect([pip.success, pip.stderr.toString()]).toEqual([true, expect.any(String)]);
      const code =
        "import importlib.metadata as m, odograph_client as o; print(m.version('odograph-client'), o.OdographClient.__name__)";
      const env = { ...process.env, PYTHONPATH: join(folder, "site") };
      expect(Bun.spawnSync([python, "-c", code], { env }).stdout.toString()).toBe(`${version} OdographClient\n`);
    });
  });
});
