import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";
import { completeFleet } from "./fleet.ts";
import { follow } from "./follow.ts";
import { Stage } from "./stage.ts";

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
