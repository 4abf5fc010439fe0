import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startBrowser, type VisitOptions, type Visitor, visit } from "./browser.ts";
import type { FleetRecord } from "./fleet.ts";
import { ownerEmail, portalFleet, portalPassword } from "./portal-fleet.ts";
import { runOdograph, startOdograph } from "./program.ts";

/** The real program with a fleet, and a real browser in front of it. */
export interface PortalSite {
  readonly origin: string;
  /** Where its data is. */
  readonly directory: string;
  /** When the fleet was made. Its vehicles are as they are at this moment. */
  readonly now: number;
  /** Somebody who has not signed in. */
  visitor(options?: VisitOptions): Promise<Visitor>;
  /** Somebody who has; the owner, unless another e-mail is named. */
  signedIn(email?: string, options?: VisitOptions): Promise<Visitor>;
  /** Loads more into the running program. */
  load(records: readonly FleetRecord[]): Promise<void>;
  /** What went wrong at anybody's screen so far. */
  faults(): readonly string[];
  close(): Promise<void>;
}

/** With further arguments for `odograph serve`. */
export async function startPortalSite(...further: readonly string[]): Promise<PortalSite> {
  const now = Date.now();
  const directory = await mkdtemp(join(tmpdir(), "odograph-portal-"));
  const load = async (records: readonly FleetRecord[]) => {
    const input = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const { code, stderr } = await runOdograph(["load", "-", "--data", directory], { input });
    if (code !== 0) throw new Error(stderr);
  };
  await load(portalFleet(now));
  const serving = [
    "serve",
    "--data",
    directory,
    "--port",
    "0",
    "--ingest-port",
    "0",
    "--log-level",
    "error",
    ...further,
  ];
  const [program, browser]: [Awaited<ReturnType<typeof startOdograph>>, Browser] = await Promise.all([
    startOdograph(serving),
    startBrowser(),
  ]);
  const visitors: Visitor[] = [];
  const visitor: PortalSite["visitor"] = async (options) => {
    const made = await visit(browser, program.url, options);
    visitors.push(made);
    return made;
  };
  return {
    origin: program.url,
    directory,
    now,
    visitor,
    load,
    faults: () => visitors.flatMap(({ faults }) => faults),
    async signedIn(email = ownerEmail, options = {}) {
      const made = await visitor(options);
      const { page } = made;
      const data = { email, password: portalPassword };
      const headers = { "X-Odograph-Portal": "1", Origin: program.url };
      const response = await page.request.post("/portal/api/session", { data, headers });
      if (!response.ok()) throw new Error(await response.text());
      return made;
    },
    async close() {
      await browser.close();
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
