import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/servers.ts";

export interface RunningProxy {
  readonly url: string;
  readonly ingestUrl: string;
  /** Resolves with everything that it has logged. */
  stop(): Promise<string>;
}

export interface ProxyPorts {
  readonly api: number;
  readonly ingest: number;
}

export interface Backends {
  readonly url: string;
  readonly ingestUrl: string;
}

/** With it, a proxy speaks TLS as `localhost`. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const accessLog = "access.log";
/** A machine that does other work may be many times slower than a quiet one. */
const startLimitMs = 60_000;
const deployed = fileURLToPath(new URL("../../../deploy/nginx/odograph.conf", import.meta.url));

/** deploy/nginx/odograph.conf with these nodes and ports, in a configuration that needs nothing else of the machine. */
async function nginxConfig(nodes: readonly Backends[], ports: ProxyPorts, tls: Certificate | null): Promise<string> {
  const servers = (name: "url" | "ingestUrl") =>
    nodes.map((node) => `server ${new URL(node[name]).host} max_fails=0;`).join(" ");
  const listening = [ports.api, ports.ingest].values();
  const site = (await readFile(deployed, "utf8"))
    .replace("server 127.0.0.1:8080 max_fails=0;", servers("url"))
    .replace("server 127.0.0.1:8081 max_fails=0;", servers("ingestUrl"))
    .replaceAll(/listen 443 ssl http2;/g, () => {
      // The load keeps its connections for longer than nginx would.
      return `listen 127.0.0.1:${listening.next().value}${tls ? " ssl http2" : ""}; keepalive_requests 1000000;`;
    })
    .replaceAll(/ssl_certificate .*;/g, tls ? `ssl_certificate ${tls.certificate};` : "")
    .replaceAll(/ssl_certificate_key .*;/g, tls ? `ssl_certificate_key ${tls.key};` : "")
    .replaceAll(/error_log \S+/g, "error_log stderr");
  return `
daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log stderr ${tls ? "error" : "crit"};
events { worker_connections 1024; }
http {
access_log ${tls ? accessLog : "off"};
client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
${site}
}
`;
}

/** Starts nginx before the nodes, with everything of it in a temporary directory. */
export async function startNginx(nodes: readonly Backends[], tls: Certificate | null = null): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-nginx-"));
  const ports = { api: await freePort(), ingest: await freePort() };
  await mkdir(join(directory, "logs"));
  await writeFile(join(directory, "nginx.conf"), await nginxConfig(nodes, ports, tls));
  const command = ["nginx", "-p", directory, "-c", "nginx.conf", "-e", "stderr"];
  return runProxy({ command, directory, ports, endsBy: "SIGQUIT", tls });
}

export interface ProxyRun {
  readonly command: string[];
  /** Removed when it has ended. */
  readonly directory: string;
  readonly ports: ProxyPorts;
  readonly endsBy: "SIGQUIT" | "SIGTERM";
  readonly tls: Certificate | null;
}

/** Starts a proxy and waits until it answers. If it does not, it is stopped. */
export async function runProxy({ command, directory, ports, endsBy, tls }: ProxyRun): Promise<RunningProxy> {
  const environment = { ...process.env, HOME: directory };
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe", env: environment });
  const log = new Response(child.stderr).text();
  const stop = async () => {
    child.kill(endsBy);
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await child.exited;
    clearTimeout(timer);
    const requests = await readFile(join(directory, accessLog), "utf8").catch(() => "");
    await rm(directory, { recursive: true, force: true });
    return (await log) + requests;
  };
  const address = (port: number) => (tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`);
  const [url, ingestUrl] = [address(ports.api), address(ports.ingest)];
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline && child.exitCode === null) {
    const isThere = await fetch(`${url}/v1/health`, { tls: { rejectUnauthorized: false } }).catch(() => null);
    if (isThere !== null) return { url, ingestUrl, stop };
    await Bun.sleep(50);
  }
  throw new Error(`the proxy did not start: ${await stop()}`);
}
