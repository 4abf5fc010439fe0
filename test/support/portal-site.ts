import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cookie } from "playwright-core";
import { type LastingBrowser, startLastingBrowser, type VisitOptions, type Visitor, visit } from "./browser.ts";
import { type FleetRecord, hourMs } from "./fleet.ts";
import { ownerEmail, portalFleet, portalPassword } from "./portal-fleet.ts";
import { type RunningProgram, runOdograph, startOdograph } from "./program.ts";

/** The real program with a fleet, and a real browser in front of it. */
export interface PortalSite {
  readonly origin: string;
  /** Where its data is. */
  readonly directory: string;
  /** When the fleet was made, or some minutes before. Its vehicles are as they are at this moment. */
  readonly now: number;
  /** A visitor who has not signed in. Maps are not drawn, unless the options say so. */
  visitor(options?: VisitOptions): Promise<Visitor>;
  /** A person who has; the owner, unless another e-mail is named. */
  signedIn(email?: string, options?: VisitOptions): Promise<Visitor>;
  /** Loads more into the running program. */
  load(records: readonly FleetRecord[]): Promise<void>;
  /** What went wrong at anybody's screen so far. */
  faults(): readonly string[];
  /** Another server with further arguments, on a copy of the data as it was when this site was made, in the same browser. */
  beside(...further: readonly string[]): Promise<PortalSite>;
  close(): Promise<void>;
}

/** Loading a fleet and starting a browser take seconds: the tests share one site. */
export async function startPortalSite(): Promise<PortalSite> {
  const now = momentOfFleet();
  const directory = await mkdtemp(join(tmpdir(), "odograph-portal-"));
  const starting = startLastingBrowser();
  await loadInto(directory, portalFleet(now));
  const untouched = `${directory}-untouched`;
  await cp(directory, untouched, { recursive: true });
  const [program, browser] = await Promise.all([serve(directory), starting]);
  const parts = { now, browser, untouched };
  return siteOf(parts, directory, program, async () => {
    await browser.close();
    await rm(untouched, { recursive: true, force: true });
  });
}

/** Now; soon after midnight the last moment of the day before, so that its last ten minutes are of the same day. */
function momentOfFleet(): number {
  const now = Date.now();
  const sinceMidnightMs = now % (24 * hourMs);
  return sinceMidnightMs < 10 * 60_000 ? now - sinceMidnightMs - 1 : now;
}

interface SharedParts {
  readonly now: number;
  readonly browser: LastingBrowser;
  /** The data before any server or test has written to it. */
  readonly untouched: string;
}

function siteOf(
  parts: SharedParts,
  directory: string,
  program: RunningProgram,
  closeShared: () => Promise<void>,
): PortalSite {
  const visitors: Visitor[] = [];
  // Checking a password is costly by design, so a session goes on when the person who had it has left and it has not been ended.
  const sessions: { readonly email: string; readonly cookies: Cookie[]; whose: Visitor }[] = [];
  const visitor: PortalSite["visitor"] = async (options) => {
    const made = await visit(await parts.browser.running(), program.url, { map: "undrawn", ...options });
    visitors.push(made);
    return made;
  };
  return {
    origin: program.url,
    directory,
    now: parts.now,
    visitor,
    load: (records) => loadInto(directory, records),
    faults: () => visitors.flatMap(({ faults }) => faults),
    async signedIn(email = ownerEmail, options = {}) {
      const made = await visitor(options);
      const { page } = made;
      const free = sessions.find((one) => one.email === email && one.whose.hasLeft());
      if (free) {
        free.whose = made;
        await page.context().addCookies(free.cookies);
        if ((await page.request.get("/portal/api/session")).ok()) return made;
        sessions.splice(sessions.indexOf(free), 1);
      }
      const data = { email, password: portalPassword };
      const headers = { "X-Odograph-Portal": "1", Origin: program.url };
      const response = await page.request.post("/portal/api/session", { data, headers });
      if (!response.ok()) throw new Error(await response.text());
      sessions.push({ email, cookies: await page.context().cookies(), whose: made });
      return made;
    },
    async beside(...further) {
      const copy = await mkdtemp(join(tmpdir(), "odograph-portal-"));
      await cp(parts.untouched, copy, { recursive: true });
      return siteOf(parts, copy, await serve(copy, ...further), async () => {});
    },
    async close() {
      await closeShared();
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function loadInto(directory: string, records: readonly FleetRecord[]): Promise<void> {
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { code, stderr } = await runOdograph(["load", "-", "--data", directory], { input });
  if (code !== 0) throw new Error(stderr);
}

function serve(directory: string, ...further: readonly string[]): Promise<RunningProgram> {
  const ports = ["--port", "0", "--ingest-port", "0"];
  return startOdograph(["serve", "--data", directory, ...ports, "--log-level", "error", ...further]);
}
