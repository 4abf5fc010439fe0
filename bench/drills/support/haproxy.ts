import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/servers.ts";
import { type Backends, type ProxyPorts, type RunningProxy, runProxy } from "./nginx.ts";

/** What docs/operations.md says of HAProxy before several nodes, without TLS. */
function haproxyConfig(nodes: readonly Backends[], ports: ProxyPorts): string {
  const servers = (name: "url" | "ingestUrl") =>
    nodes.map((node, index) => `  server node${index + 1} ${new URL(node[name]).host} check`).join("\n");
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 20s
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response response-timeout
  default-server inter 500ms fall 2 rise 1

listen odograph
  bind 127.0.0.1:${ports.api}
  option httpchk GET /v1/health
${servers("url")}

listen odograph_ingest
  bind 127.0.0.1:${ports.ingest}
  option httpchk GET /ready
${servers("ingestUrl")}
`;
}

/** Starts HAProxy before the nodes, with everything of it in a temporary directory. */
export async function startHaproxy(nodes: readonly Backends[]): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-haproxy-"));
  const ports = { api: await freePort(), ingest: await freePort() };
  await writeFile(join(directory, "haproxy.cfg"), haproxyConfig(nodes, ports));
  const command = ["haproxy", "-db", "-q", "-f", join(directory, "haproxy.cfg")];
  return runProxy({ command, directory, ports, endsBy: "SIGTERM", tls: null });
}
