import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TrackerProtocol, trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { callers } from "../../../test/support/trackers/callers.ts";
import { freePort } from "../../support/servers.ts";

export type TrackerPorts = Readonly<Record<TrackerProtocol, number>>;

/** nginx or HAProxy before the nodes' ports for trackers, by the files of deploy/. */
export interface TrackerBalancer {
  /** Where trackers call. */
  readonly ports: TrackerPorts;
  /** Resolves with what it has logged. */
  stop(): Promise<string>;
}

export const trackerBalancers = ["nginx", "haproxy"] as const;
export type BalancerName = (typeof trackerBalancers)[number];

const deployed = (path: string) => readFile(fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url)), "utf8");

/** Why it cannot run here; null: it can. */
export function whatIsMissing(name: BalancerName): string | null {
  if (Bun.which(name) === null) return `${name} is not installed`;
  return name === "nginx" && streamModule() === undefined ? "libnginx-mod-stream is not installed" : null;
}

/** What loads nginx's stream module; "" if it is built in, undefined if there is none. */
function streamModule(): string | undefined {
  const options = Bun.spawnSync(["nginx", "-V"]).stderr.toString();
  if (/--with-stream(?:\s|$)/.test(options)) return "";
  const named = /--modules-path=(\S+)/.exec(options)?.[1] ?? "";
  // Also where a package was only unpacked.
  const beside = join(dirname(Bun.which("nginx") ?? ""), "../lib/nginx/modules");
  const file = [named, beside].map((path) => join(path, "ngx_stream_module.so")).find((path) => existsSync(path));
  return file === undefined ? undefined : `load_module ${file};`;
}

const isOverUdp = (name: TrackerProtocol) => callers[name].over === "udp";

export async function startTrackerBalancer(
  name: BalancerName,
  nodes: readonly TrackerPorts[],
  workerConnections: number,
): Promise<TrackerBalancer> {
  const directory = await mkdtemp(join(tmpdir(), `odograph-${name}-`));
  const entries = await Promise.all(trackerProtocols.map(async (each) => [each, await freePort()] as const));
  const own = Object.fromEntries(entries) as TrackerPorts;
  const file = join(directory, "balancer.conf");
  const text =
    name === "nginx" ? await nginxConfig(own, nodes, workerConnections) : await haproxyConfig(own, nodes, openFiles());
  await writeFile(file, text);
  const command =
    name === "nginx" ? ["nginx", "-p", directory, "-c", file, "-e", "stderr"] : ["haproxy", "-db", "-q", "-f", file];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const log = new Response(child.stderr).text();
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
    await rm(directory, { recursive: true, force: true });
    return log;
  };
  const isOpen = async () => {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port: own.gt06, socket: { data() {} } }).catch(
      () => null,
    );
    socket?.end();
    return socket !== null;
  };
  while (child.exitCode === null && !(await isOpen())) await Bun.sleep(50);
  if (child.exitCode !== null) throw new Error(`${name} did not start: ${await stop()}`);
  // HAProxy has no UDP: such trackers call a node.
  const [first] = nodes;
  const ports = entries.map(([each, port]) => [
    each,
    name === "haproxy" && isOverUdp(each) ? (first?.[each] ?? 0) : port,
  ]);
  return { ports: Object.fromEntries(ports), stop };
}

/** deploy/nginx/trackers.conf with its two kinds of blocks for each family, in a nginx.conf as Debian's. */
async function nginxConfig(own: TrackerPorts, nodes: readonly TrackerPorts[], connections: number): Promise<string> {
  const text = await deployed("nginx/trackers.conf");
  const block = (start: RegExp) => new RegExp(`^    ${start.source}[\\s\\S]*?^    \\}\\n`, "m").exec(text)?.[0] ?? "";
  const tcp = [block(/upstream gt06 \{/), block(/server \{\n {8}listen 5023/)].join("");
  const udp = [block(/upstream suntech_udp \{/), block(/server \{\n {8}listen 5011 udp/)].join("");
  const blocks = trackerProtocols.map((name) => {
    const servers = nodes.map((ports) => `server 127.0.0.1:${ports[name]};`).join(" ");
    return (isOverUdp(name) ? udp : tcp)
      .replaceAll(/(upstream|zone|proxy_pass) (gt06|suntech_udp)/g, `$1 of_${name}`)
      .replace(/server 10\.0\.0\.11:\d+;/, servers)
      .replace(/server 10\.0\.0\.12:\d+;/, "")
      .replace(/listen \d+/, `listen 127.0.0.1:${own[name]}`);
  });
  const outside = text.slice(0, text.indexOf("stream {"));
  return [
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off; pid nginx.pid; error_log stderr error; worker_processes auto;",
    `${streamModule()}\n${outside}`,
    `events { worker_connections ${connections}; }\nstream {\n${blocks.join("")}}\n`,
  ].join("\n");
}

/** deploy/haproxy/trackers.cfg with a block for each family. */
async function haproxyConfig(own: TrackerPorts, nodes: readonly TrackerPorts[], files: number): Promise<string> {
  const text = await deployed("haproxy/trackers.cfg");
  const [block = ""] = /^listen gt06\n(?: .*\n)+/m.exec(text) ?? [];
  const blocks = trackerProtocols
    .filter((name) => !isOverUdp(name))
    .map((name) =>
      block
        .replace("listen gt06", `listen ${name}`)
        .replace(":5023", `127.0.0.1:${own[name]}`)
        .replaceAll(/10\.0\.0\.1(\d):5023/g, (_, node) => `127.0.0.1:${nodes[node - 1]?.[name]}`),
    );
  // It does not start with more than it may open.
  const most = Math.floor((files - 500) / 2);
  const outside = text.slice(0, text.indexOf("listen gt06"));
  return [outside.replace(/maxconn (\d+)/, (_, given) => `maxconn ${Math.min(given, most)}`), ...blocks].join("\n");
}

/** That a process may open at most. */
function openFiles(): number {
  return Number(Bun.spawnSync(["sh", "-c", "ulimit -Hn"]).stdout.toString()) || Number.POSITIVE_INFINITY;
}
