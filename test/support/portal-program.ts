import { smallFleet } from "./fleet.ts";
import { type ProgramOptions, type RunningProgram, startOdograph } from "./program.ts";

const password = "correct horse";

/** The small fleet, with an owner who can sign in. */
export const fleetWithOwner = { ...smallFleet, olga: { ...smallFleet.olga, password } };

export interface PortalProgram {
  readonly program: RunningProgram;
  /** Calls a route of the portal as the owner. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  call(method: string, path: string, body?: object): Promise<any>;
}

/** The real program over a store with `fleetWithOwner`, whose owner has signed in. */
export async function startPortalProgram(
  env: NonNullable<ProgramOptions["env"]>,
  ...further: readonly string[]
): Promise<PortalProgram> {
  const program = await startOdograph(["serve", "--port", "0", "--ingest-port", "0", ...further], { env });
  return { program, call: await callsOfOwner(program.url) };
}

/** Signs the owner of `fleetWithOwner` in. */
export async function callsOfOwner(url: string): Promise<PortalProgram["call"]> {
  const headers: Record<string, string> = {
    "X-Odograph-Portal": "1",
    Origin: url,
    // Each call on a connection of its own, so that each process gets some.
    Connection: "close",
  };
  const call: PortalProgram["call"] = async (method, path, body) => {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`${url}/portal/api${path}`, { method, headers, ...sent });
    // A test that asks until something is so asks more often than a person may.
    if (response.status === 429) return Bun.sleep(1_000).then(() => call(method, path, body));
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    if (cookies.length > 0) headers.Cookie = cookies.join("; ");
    return response.json();
  };
  await call("POST", "/session", { email: smallFleet.olga.email, password });
  return call;
}
