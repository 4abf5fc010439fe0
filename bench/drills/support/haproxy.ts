import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/servers.ts";
import { type Backends, type ProxyPorts, type RunningProxy, runProxy } from "./nginx.ts";

const page = fileURLToPath(new URL("../../../docs/operations.md", import.meta.url));

/** The block in docs/operations.md with these nodes and ports, without TLS. */
async function haproxyConfig(nodes: readonly Backends[], ports: ProxyPorts): Promise<string> {
  const documented = /^```haproxy\n(.*?)^```/ms.exec(await readFile(page, "utf8"))?.[1] ?? "";
  const servers = (name: "url" | "ingestUrl") =>
    nodes.map((node, index) => `  server node${index + 1} ${new URL(node[name]).host} check\n`).join("");
  return documented
    .replace("127.0.0.1:8090", `127.0.0.1:${ports.api}`)
    .replace("127.0.0.1:8091", `127.0.0.1:${ports.ingest}`)
    .replace(/(?: +server .*:8080 check\n)+/, servers("url"))
    .replace(/(?: +server .*:8081 check\n)+/, servers("ingestUrl"));
}

/** Starts HAProxy before the nodes, with everything of it in a temporary directory. */
export async function startHaproxy(nodes: readonly Backends[]): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-haproxy-"));
  const ports = { api: await freePort(), ingest: await freePort() };
  await writeFile(join(directory, "haproxy.cfg"), await haproxyConfig(nodes, ports));
  const command = ["haproxy", "-db", "-q", "-f", join(directory, "haproxy.cfg")];
  return runProxy({ command, directory, ports, endsBy: "SIGTERM", tls: null });
}
