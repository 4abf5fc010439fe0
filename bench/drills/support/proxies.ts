import { startCaddy } from "./caddy.ts";
import { startHaproxy } from "./haproxy.ts";
import { type Backends, type RunningProxy, startNginx } from "./nginx.ts";

/** Starts the proxy of this name before the nodes. */
export function startProxy(name: string, nodes: readonly Backends[]): Promise<RunningProxy> {
  if (name === "nginx") return startNginx(nodes);
  if (name === "haproxy") return startHaproxy(nodes);
  if (name === "caddy") return startCaddy(nodes);
  throw new Error(`--proxy: expected nginx, haproxy or caddy, got "${name}"`);
}
