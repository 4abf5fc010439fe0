import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/servers.ts";

export interface RunningProxy {
  readonly url: string;
  readonly ingestUrl: string;
  stop(): Promise<void>;
}

export interface Backends {
  readonly url: string;
  readonly ingestUrl: string;
}

/** What docs/operations.md says of nginx before several nodes, without TLS. */
export function nginxConfig(nodes: readonly Backends[], ports: { readonly api: number; readonly ingest: number }) {
  const servers = (name: "url" | "ingestUrl") =>
    nodes.map((node) => `server ${new URL(node[name]).host} max_fails=0;`).join(" ");
  const pass = (upstream: string) => `
      proxy_pass http://${upstream};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 1s;
      proxy_next_upstream error timeout non_idempotent;`;
  return `
daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  upstream odograph        { ${servers("url")} keepalive 32; keepalive_timeout 20s; }
  upstream odograph_ingest { hash $http_authorization consistent; ${servers("ingestUrl")} keepalive 32; keepalive_timeout 20s; }
  server { listen 127.0.0.1:${ports.api}; keepalive_requests 1000000; location / {${pass("odograph")} } }
  server {
    listen 127.0.0.1:${ports.ingest}; keepalive_requests 1000000; client_max_body_size 16m;
    location ~ ^/(frames|traccar/positions|traccar/events|osmand|owntracks)$ {${pass("odograph_ingest")} }
    location / { return 404; }
  }
}
`;
}

/** Starts nginx before the nodes, with everything of it in a temporary directory. */
export async function startNginx(nodes: readonly Backends[]): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-nginx-"));
  const ports = { api: await freePort(), ingest: await freePort() };
  await mkdir(join(directory, "logs"));
  await writeFile(join(directory, "nginx.conf"), nginxConfig(nodes, ports));
  const child = Bun.spawn(["nginx", "-p", directory, "-c", "nginx.conf", "-e", "stderr"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const stop = async () => {
    child.kill("SIGQUIT");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await child.exited;
    clearTimeout(timer);
    await rm(directory, { recursive: true, force: true });
  };
  return onceItAnswers(ports, child, stop);
}

/** The proxy, when it answers. If it does not, it is stopped. */
export async function onceItAnswers(
  ports: { readonly api: number; readonly ingest: number },
  child: Bun.Subprocess,
  stop: () => Promise<void>,
): Promise<RunningProxy> {
  const [url, ingestUrl] = [`http://127.0.0.1:${ports.api}`, `http://127.0.0.1:${ports.ingest}`];
  try {
    await answers(`${url}/v1/health`, child);
    return { url, ingestUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when the proxy answers. */
async function answers(url: string, child: Bun.Subprocess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const response = await fetch(url).catch(() => null);
    if (response !== null) return;
    await Bun.sleep(50);
  }
  throw new Error("the proxy did not start");
}
