import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/servers.ts";
import { type Backends, type Certificate, type ProxyPorts, type RunningProxy, runProxy } from "./nginx.ts";

const deployed = fileURLToPath(new URL("../../../deploy/caddy/Caddyfile", import.meta.url));

/** deploy/caddy/Caddyfile with these nodes and ports. It asks nobody for a certificate. */
async function caddyfile(nodes: readonly Backends[], ports: ProxyPorts, tls: Certificate | null): Promise<string> {
  const hosts = (name: "url" | "ingestUrl") => nodes.map((node) => new URL(node[name]).host).join(" ");
  const site = (port: number) =>
    tls
      ? `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${tls.certificate} ${tls.key}`
      : `http://:${port} {\n\tbind 127.0.0.1`;
  return (await readFile(deployed, "utf8"))
    .replace("\n{\n", "\n{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n")
    .replaceAll(/# (?=health_)/g, nodes.length > 1 ? "" : "# ")
    .replace("fleet.example.com {", site(ports.api))
    .replace("ingest.example.com {", site(ports.ingest))
    .replace("reverse_proxy 127.0.0.1:8080", `reverse_proxy ${hosts("url")}`)
    .replace("reverse_proxy 127.0.0.1:8081", `reverse_proxy ${hosts("ingestUrl")}`);
}

/** Starts Caddy before the nodes, with everything of it in a temporary directory. */
export async function startCaddy(nodes: readonly Backends[], tls: Certificate | null = null): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-caddy-"));
  const ports = { api: await freePort(), ingest: await freePort() };
  await writeFile(join(directory, "Caddyfile"), await caddyfile(nodes, ports, tls));
  const command = ["caddy", "run", "--config", join(directory, "Caddyfile"), "--adapter", "caddyfile"];
  return runProxy({ command, directory, ports, endsBy: "SIGTERM", tls });
}
