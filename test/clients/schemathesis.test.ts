import { expect, test } from "bun:test";
import { startWorld, stopWorld } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { startOdograph } from "../support/program.ts";
import { type DownloadedTool, folderOfTool } from "./downloaded.ts";
import { runIn } from "./run-in.ts";

const schemathesis: DownloadedTool = {
  name: "schemathesis",
  version: "4.32.5",
  needs: ["python3", "-c", "import sys, venv; assert sys.version_info >= (3, 10)"],
  async download(folder) {
    await runIn(folder, ["python3", "-m", "venv", "."]);
    await runIn(folder, ["bin/pip", "install", "--quiet", `schemathesis==${schemathesis.version}`]);
  },
};

const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

onOneEngine("the description, held by another program against a real server", (engine) => {
  test("every answer to generated requests is of a described status, type and shape", async () => {
    const { folder, why } = await folderOfTool(schemathesis);
    if (folder === undefined) return console.log(`not tested: schemathesis ${schemathesis.version}: ${why}`);
    const store = await engine.fresh();
    const world = await startWorld(store);
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env: store.env });
    try {
      const printed = await runIn(folder, [
        ...[
          "bin/schemathesis",
          "run",
          `${server.url}/v1/openapi.json?rows=any`,
          "--header",
          `X-API-Key: ${world.keys.olga}`,
        ],
        ...[
          "--checks",
          checks.join(","),
          "--phases",
          "examples,coverage,fuzzing",
          "--max-examples",
          "30",
          "--seed",
          "1",
        ],
      ]);
      expect(printed).toMatch(/(\d{3,}) generated, \1 passed/);
    } finally {
      await server.stop();
      await stopWorld(world);
    }
  });
});
