/**
 * Builds the container image and runs it as docs/containers.md says: as another user than root, with a root file system
 * that cannot be written, and without any capability. Creates the first account by its link, receives frames, stops it by
 * SIGTERM, which reaches it as process 1, starts it again, and makes and restores a backup.
 *
 *     node_modules/.bin/bun bench/drills/image.ts [--engine docker|podman] [--stand-ins]
 *
 * --stand-ins makes the images that the Dockerfile begins with on this machine, for one that reaches no registry: it needs
 * root, buildah and debootstrap.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readOptions } from "../support/options.ts";
import { Engine } from "./support/containers.ts";
import { conclude, print } from "./support/report.ts";
import { makeStandIns } from "./support/stand-in-bases.ts";

const options = readOptions(import.meta.url, { engine: "docker", "stand-ins": false });

const root = fileURLToPath(new URL("../..", import.meta.url));
const image = "localhost/odograph-drill";
const server = "odograph-drill";
const hardened = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
const owner = {
  account_name: "Drill",
  time_zone: "Europe/Berlin",
  name: "Olga",
  email: "olga@drill.test",
  password: "a fine long password",
};

const engine = new Engine(options.engine);
const failures: string[] = [];
try {
  await build();
  await drill();
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error));
} finally {
  await engine.end();
}
conclude(failures.length === 0, failures.join("; "));

async function build(): Promise<void> {
  if (options["stand-ins"]) await makeStandIns(readFileSync(`${root}/Dockerfile`, "utf8"));
  const began = performance.now();
  const onlyPodman = ["--isolation", "chroot", "--pull=never", "--format", "docker"];
  await engine.run(["build", ...(options.engine === "podman" ? onlyPodman : []), "--tag", image, root]);
  print("built in", seconds(began));
  const format = "{{.Size}} {{.Config.User}} {{.Config.Entrypoint}} {{.Config.Cmd}}";
  const [bytes, ...shown] = (await engine.run(["image", "inspect", "--format", format, image])).text.split(" ");
  print("image", `${(Number(bytes) / 1e6).toFixed(0)} MB, user and command: ${shown.join(" ")}`);
  const layers = (await engine.run(["history", "--format", "{{.Size}} {{.CreatedBy}}", image])).text.split("\n");
  for (const layer of layers.filter((line) => !/^0\s?B /.test(line))) print("  layer", layer.slice(0, 90));
}

async function drill(): Promise<void> {
  const volume = await engine.volume("odograph-drill-data");
  const mounted = ["--volume", `${volume}:/var/lib/odograph`];
  // It drains for some seconds, so that there is time to look.
  const ports = ["--publish", "127.0.0.1::8080", "--publish", "127.0.0.1::8081", "--env", "ODOGRAPH_DRAIN_SECONDS=6"];
  const address = await engine.start(server, [...hardened, ...mounted, ...ports, image]);
  await ready();
  const status = (await inside("cat", "/proc/1/status")).text;
  print("process 1", `${field(status, "Name")}, uid ${field(status, "Uid")}, capabilities ${field(status, "CapBnd")}`);
  print("no new privileges, seccomp", `${field(status, "NoNewPrivs")}, ${field(status, "Seccomp")}`);
  expect(
    "process 1 is odograph, without capabilities",
    /^odograph$/.test(field(status, "Name")) && Number(`0x${field(status, "CapBnd")}`) === 0,
  );
  expect("the root file system cannot be written", (await inside("touch", "/written")).code !== 0);

  const link = (await inside("cat", "/var/lib/odograph/setup-link")).text;
  print("link to create the account", link.replace(/#.*/, "#…"));
  const log = (await engine.run(["logs", server], { mayFail: true })).text;
  expect("the log does not hold the link's secret", !log.includes(link.split("#")[1] ?? "?"));
  const headers = { "X-Odograph-Portal": "1", "Content-Type": "application/json" };
  const body = JSON.stringify({ token: link.split("#")[1], ...owner });
  const made = await fetch(`${await address(8080)}/portal/api/setup`, { method: "POST", headers, body });
  expect("the link creates an account", made.status === 201);

  const fleet = (await odograph(["simulate", "--fleet", "--vehicles", "5"])).text;
  await odograph(["load", "-"], fleet);
  const account = JSON.parse(fleet.split("\n")[0] ?? "{}").id as string;
  const created = await odograph(["ingest-tokens", "create", "--account", account, "--name", "drill", "--json"]);
  const { token } = JSON.parse(created.text) as { token: string };
  const sending = ["--vehicles", "5", "--rate", "2000", "--days", "1", "--seconds", "5"];
  const send = ["simulate", "--to", "http://127.0.0.1:8081", ...sending];
  const sent = await engine.run(["exec", "--env", `ODOGRAPH_INGEST_TOKEN=${token}`, server, "odograph", ...send], {
    mayFail: true,
  });
  print("frames", sent.text.split("\n").at(-1) ?? "");
  const imei = JSON.parse(fleet.split("\n").find((line) => line.includes('"imei"')) ?? "{}").imei as string;
  const to = new Date();
  const from = new Date(to.getTime() - 3 * 86_400_000);
  const window = ["--from", from.toISOString(), "--to", to.toISOString()];
  const positions = [
    "export",
    "positions",
    "--imei",
    imei,
    ...window,
    "--user",
    "demo@odograph.example",
    "--format",
    "ndjson",
  ];
  const before = (await odograph(positions)).text;
  print("positions of the first vehicle", before.split("\n").length);

  const stopping = performance.now();
  // Not by `stop`: until that ends, podman lets nobody look.
  await engine.run(["kill", "--signal", "TERM", server]);
  await until(async () => (await odographHealthy()).text.includes("draining"));
  print("healthy, while it drains", (await odographHealthy()).text);
  const { text: code } = await engine.run(["wait", server]);
  print("stopped by SIGTERM", `exit code ${code}, ${seconds(stopping)}`);
  expect("SIGTERM ends process 1 with 0", code === "0");
  await engine.run(["start", server]);
  await ready();
  expect("nothing is lost by a restart", (await odograph(positions)).text === before);

  await backUp(mounted, positions, before);
  await asAnybody();
}

/** As compose.yaml does it. */
async function backUp(mounted: readonly string[], positions: readonly string[], before: string): Promise<void> {
  const [backups, other] = [await engine.volume("odograph-drill-backups"), await engine.volume("odograph-drill-other")];
  const run = ["run", "--rm", ...hardened, "--network", "none", "--volume", `${backups}:/var/backups/odograph`];
  const file = "/var/backups/odograph/drill.db";
  print("backup beside the server", (await engine.run([...run, ...mounted, image, "backup", file])).text);
  const restored = await engine.run([...run, "--volume", `${other}:/var/lib/odograph`, image, "restore", file]);
  print("restored elsewhere", restored.text);
  const again = await engine.run([...run, "--volume", `${other}:/var/lib/odograph`, image, ...positions]);
  expect("the restored store is the same", again.text === before);
}

/** A user that the image does not know, and no time zones in the system. */
async function asAnybody(): Promise<void> {
  const name = "odograph-drill-anybody";
  const strict = ["--read-only", "--cap-drop", "ALL", "--user", "4321", "--tmpfs", "/usr/share/zoneinfo"];
  await engine.start(name, [...strict, image]);
  await until(async () => (await engine.run(["exec", name, "odograph", "healthy"], { mayFail: true })).code === 0);
  const line =
    '{"type":"account","id":"fffe3f21-3d68-4bad-819f-5c6baa31574a","name":"A","time_zone":"Pacific/Chatham"}\n';
  const load = ["exec", "--interactive", name, "odograph", "load", "-"];
  const loaded = await engine.run(load, { input: line, mayFail: true });
  expect("user 4321 works, without system time zones", loaded.code === 0);
}

function odograph(words: readonly string[], input = ""): Promise<{ code: number; text: string }> {
  return engine.run(["exec", "--interactive", server, "odograph", ...words], { input });
}

function odographHealthy(): Promise<{ code: number; text: string }> {
  return inside("odograph", "healthy");
}

function inside(...words: readonly string[]): Promise<{ code: number; text: string }> {
  return engine.run(["exec", server, ...words], { mayFail: true });
}

async function ready(): Promise<void> {
  const began = performance.now();
  await until(async () => (await odographHealthy()).code === 0);
  const asked = performance.now();
  const said = await odographHealthy();
  print(
    "healthy",
    `${said.text}, after ${seconds(began)}; asking takes ${(performance.now() - asked).toFixed(0)} ms with ${engine.command} exec`,
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it took more than a minute: ${(await odographHealthy()).text}`);
    await Bun.sleep(100);
  }
}

function expect(what: string, isSo: boolean): void {
  print(what, isSo ? "yes" : "NO");
  if (!isSo) failures.push(what);
}

function field(status: string, name: string): string {
  return new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1] ?? "?";
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
