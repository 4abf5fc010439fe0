import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { prefix } from "../../src/api/route.ts";
import { routes as apiRoutes, findRoute } from "../../src/api/routes.ts";
import { UnsubscribeTokens } from "../../src/portal/mail-queue/unsubscribe-token.ts";
import { portalRoutes } from "../../src/portal/routes.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { thatDay } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { lastingRows } from "../support/lasting-rows.ts";
import {
  type Browser,
  type PortalResponse,
  type PortalUnderTest,
  type PortalWorld,
  sharedPortal,
} from "../support/portal.ts";
import { type Caller, type PortalCall, type RightsRow, rightsTable } from "../support/portal-rights.ts";

/** What is called so in the first account, and nowhere else. */
const ofFirstAccount = [
  ...["Amber van", "Birch truck", "Cedar car", "Dune trailer", "Elm spare", "AC-ME"],
  ...["Yard of all", "Harbour of the car", "Depot of the van", "Nobody's field", "Quay 7"],
  ...["Olga Orlova", "Anna Ahlberg", "Ben Bakker", "Dora Dietz", "@acme.example"],
];
/** What is out of the sub-account's sight. */
const unseen = [
  "Cedar car",
  "Dune trailer",
  "Elm spare",
  "Harbour of the car",
  "Nobody's field",
  "Ben Bakker",
  "Dora Dietz",
];

const leaks: Readonly<Record<Caller, readonly string[]>> = {
  owner: ["Fjord ferry", "Grove barge", "Pier of the ferry", "Otto Oldfield", "Nils Nyman", "@polar.example"],
  subAccount: unseen,
  otherOwner: ofFirstAccount,
  nobody: ofFirstAccount,
  disabled: ofFirstAccount,
  visitor: ofFirstAccount.filter((name) => name !== "Amber van"),
  recipient: ofFirstAccount,
};

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

interface AuditRow {
  readonly account_id: number;
  readonly entry_id: string;
}

function wholeLog(database: Database): Promise<AuditRow[]> {
  return database.all(sql`select * from audit_log order by account_id, entry_id`);
}

/** What was in the log before, as it is now. */
async function hashOfLog(database: Database, entries: ReadonlySet<string>): Promise<string> {
  const rows = (await wholeLog(database)).filter(({ entry_id }) => entries.has(entry_id));
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(rows)).digest("hex");
}

onEachEngine("rights in the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let site: PortalUnderTest;
  /** Of a person who has been disabled since. */
  let oldCookie: string | null = null;
  /** Of a link that shows the van, live and on a day. */
  let share = "";
  /** Of a mail to the owner. */
  let unsubscribe = "";

  beforeAll(async () => {
    const { node, store, users } = given();
    site = node({ isQuick: true });
    // Each call is in a second of its own: nobody calls too often.
    site.time.stepMs = 1_000;
    oldCookie = (await site.signIn(users.ben.email)).cookie;
    share = await shareOfVan();
    const choice = { userId: users.olga.id, choiceId: crypto.randomUUID() };
    unsubscribe = await new UnsubscribeTokens(store.database).sign(choice);
    await store.database.transaction(async (tx) => {
      // A fleet file takes no such limits as these tests have.
      await tx.run(sql`update accounts set limit_per_second = 1000, limit_per_day = 1000000`);
      await tx.run(sql`update users set status = 'disabled' where id = ${users.ben.id}`);
    });
  });

  async function shareOfVan(): Promise<string> {
    const olga = await site.signIn(given().users.olga.email);
    const made = await olga.post("/shares", {
      name: "Delivery",
      device_ids: [given().devices.van.id],
      ...thatDay,
      until: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    });
    return new URL(made.body.url).hash.slice(1);
  }

  async function browserOf(who: Caller): Promise<Browser> {
    const { users } = given();
    if (who === "owner") return site.signIn(users.olga.email);
    if (who === "subAccount") return site.signIn(users.anna.email);
    if (who === "otherOwner") return site.signIn(users.otto.email);
    const browser = site.browser();
    if (who === "disabled") browser.cookie = oldCookie;
    if (who === "visitor") browser.share = share;
    if (who === "recipient") [browser.share, browser.cookie] = [unsubscribe, `odograph_session=${unsubscribe}`];
    return browser;
  }

  async function worldFor(): Promise<PortalWorld & { readonly olga: Browser }> {
    return { ...given(), ...site, olga: await browserOf("owner") };
  }

  function call(browser: Browser, method: string, { path, body }: PortalCall): Promise<PortalResponse> {
    // As the address in a mail has it.
    const token = browser.share === unsubscribe ? `${path.includes("?") ? "&" : "?"}t=${unsubscribe}` : "";
    return browser.change(method, path + token, method === "GET" ? undefined : body);
  }

  test("are written down for every route", () => {
    const named = portalRoutes.map(nameOf);
    expect(named.filter((name) => rightsTable[name] === undefined)).toEqual([]);
    // Each once, and none that is not there any more.
    expect(named.toSorted()).toEqual(Object.keys(rightsTable).toSorted());
  });

  test("are the owner's alone for all that concerns the fleet, and in nobody's hands before signing in", () => {
    for (const route of portalRoutes) {
      const { subAccount, nobody } = rightsTable[nameOf(route)] ?? {};
      if (route.path.startsWith("/fleet/")) expect([nameOf(route), route.who]).toEqual([nameOf(route), "owner"]);
      if (route.who === "owner") expect([nameOf(route), subAccount]).toEqual([nameOf(route), 403]);
      if (route.who !== "anyone") expect([nameOf(route), nobody]).toEqual([nameOf(route), 401]);
    }
  });

  for (const route of portalRoutes) {
    const row = rightsTable[nameOf(route)];
    if (row) test(`hold for ${nameOf(route)}`, () => holdFor(route.method, row));
  }

  async function holdFor(method: string, row: RightsRow): Promise<void> {
    const { database } = given().store;
    const world = await worldFor();
    const asked = await row.ask(world, "owner");
    const log = new Set((await wholeLog(database)).map(({ entry_id }) => entry_id));
    const hash = await hashOfLog(database, log);
    const people: Caller[] = ["nobody", "disabled", "visitor", "recipient", "subAccount", "otherOwner"];
    // Signing in leaves a session behind, so everybody does that first.
    const browsers = new Map<Caller, Browser>();
    for (const who of people) browsers.set(who, await browserOf(who));
    const answer = async (who: Caller, of: PortalCall) => {
      const browser = browsers.get(who) ?? world.olga;
      const response = await call(browser, method, of);
      expect([who, of.path, response.status, response.text.slice(0, 200)]).toEqual([
        who,
        of.path,
        row[who],
        response.text.slice(0, 200),
      ]);
      // A password makes its sender that person.
      if (row.nobody < 400) return;
      for (const name of leaks[who])
        expect([who, of.path, response.text.includes(name) && name]).toEqual([who, of.path, false]);
    };

    const refused = people.filter((who) => row[who] >= 400);
    const askRefused = async () => {
      for (const who of refused) await answer(who, asked);
    };
    // A look that writes would do so on either engine: on PostgreSQL only what could change something is compared.
    if (engine.name === "postgres" && method === "GET") await askRefused();
    else {
      const before = await lastingRows(database);
      await askRefused();
      expect(await lastingRows(database)).toEqual(before);
    }

    // Those who may, each with what is their own: another owner changes nothing here.
    if (row.otherOwner < 400) {
      const of = await row.ask(world, "otherOwner");
      const acme = await rowsOfAcme();
      await answer("otherOwner", of);
      if (row.nobody >= 400) expect(await rowsOfAcme()).toEqual(acme);
    }
    for (const who of ["nobody", "disabled", "visitor", "recipient", "subAccount"] as const) {
      if (row[who] < 400) await answer(who, await row.ask(world, who));
    }
    await answer("owner", asked);
    expect(await hashOfLog(database, log)).toBe(hash);
  }

  async function rowsOfAcme() {
    const { store, accounts } = given();
    const own = `"account_id":${accounts.acme.account_id},`;
    const rows = Object.entries(await lastingRows(store.database));
    return rows.map(([name, all]) => [name, all.filter((row) => row.includes(own))]);
  }

  test("property: no call of anybody changes or removes an entry of the log", async () => {
    const { store } = given();
    const { database } = store;
    const entries = (await wholeLog(database)).map(({ entry_id }) => entry_id);
    expect(entries.length).toBeGreaterThan(3);
    const hash = await hashOfLog(database, new Set(entries));
    const olga = await browserOf("owner");
    const people = [olga, await browserOf("subAccount"), await browserOf("otherOwner"), await browserOf("nobody")];
    const writes = portalRoutes.filter(({ method }) => method !== "GET");
    // Ending one's own session would end the test.
    const harmless = writes.filter(({ path }) => !["/session", "/password", "/sessions/end-others"].includes(path));
    const nowhere = ["/fleet/log", `/fleet/log/${entries[0]}`, "/fleet/log/people", "/fleet/log/download"];
    const id = fc.constantFrom(...entries.slice(0, 20), given().accounts.acme.id, given().users.anna.id, "all");
    const fields = fc.constantFrom({}, { id: entries[0] }, { name: "x", entry_id: entries[0], at: 0 }, { status: "x" });
    const body = fc.record({ fields, revision: fc.constantFrom(1, 2, 3), history: fc.constantFrom("keep", "erase") });
    const asked = fc.oneof(
      fc.record({ method: fc.constantFrom("POST", "PUT", "DELETE", "PATCH"), path: fc.constantFrom(...nowhere), body }),
      fc.record({ route: fc.constantFrom(...harmless), id, body }).map(({ route, id, body }) => ({
        method: route.method,
        path: route.path.replace(/\{\w+\}/, id),
        body,
      })),
    );
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom(...people), async ({ method, path, body }, who) => {
        const { status } = await who.change(method, path, body);
        if (path.startsWith("/fleet/log")) expect([404, 405]).toContain(status);
        expect(await hashOfLog(database, new Set(entries))).toBe(hash);
      }),
      { numRuns: engine.name === "sqlite" ? 200 : 80 },
    );
  });
});

test("the API at /v1 only ever reads", () => {
  for (const { path } of apiRoutes) {
    const asked = prefix + path.replace(/\{\w+\}/g, "x");
    expect([path, findRoute("GET", asked).outcome]).toEqual([path, "found"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect([path, method, findRoute(method, asked).outcome]).toEqual([path, method, "other methods"]);
  }
});
