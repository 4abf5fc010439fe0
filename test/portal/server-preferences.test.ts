import { expect, test } from "bun:test";
import { noPreferences } from "../../src/domain/preferences.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { sharedPortal } from "../support/portal.ts";
import { startOdograph } from "../support/program.ts";

onEachEngine("preferences", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  const inMiles = { ...noPreferences, distance: "mi", language: "es" };

  test("are a person's own, and stay with the person", async () => {
    const { signIn } = given();
    const anna = await signIn("anna@acme.example");
    expect((await anna.get("/session")).body.preferences).toEqual({ own: noPreferences, account: noPreferences });
    const changed = await anna.change("PUT", "/preferences", { distance: "mi", language: "es" });
    expect([changed.status, changed.body.data]).toEqual([200, { own: inMiles, account: noPreferences }]);
    // In another browser, too; nobody else has them.
    expect((await (await signIn("anna@acme.example")).get("/session")).body.preferences.own).toEqual(inMiles);
    expect((await (await signIn("ben@acme.example")).get("/session")).body.preferences.own).toEqual(noPreferences);
    await anna.change("PUT", "/preferences", {});
    expect((await anna.get("/session")).body.preferences.own).toEqual(noPreferences);
  });

  test("of an account are set by its owner, for its people only", async () => {
    const { signIn } = given();
    const olga = await signIn("olga@acme.example");
    const chosen = { ...noPreferences, volume: "gal", clock: "12", week_start: "sunday", temperature: "f" };
    expect((await olga.change("PUT", "/account/preferences", chosen)).body.data.account).toEqual(chosen);
    const ben = await signIn("ben@acme.example");
    expect((await ben.get("/session")).body.preferences).toEqual({ own: noPreferences, account: chosen });
    const otto = await signIn("otto@polar.example");
    expect((await otto.get("/session")).body.preferences.account).toEqual(noPreferences);
    expect((await ben.change("PUT", "/account/preferences", {})).status).toBe(403);
    await olga.change("PUT", "/account/preferences", {});
  });

  test("that do not exist are refused by name", async () => {
    const olga = await given().signIn("olga@acme.example");
    const refused = await olga.change("PUT", "/preferences", { language: "tlh", clock: 24, distance: "mi" });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.error.fields).sort()).toEqual(["clock", "language"]);
    expect((await olga.get("/session")).body.preferences.own).toEqual(noPreferences);
  });

  test("come with the account's time zone", async () => {
    const olga = await given().signIn("olga@acme.example");
    expect((await olga.get("/session")).body.account.time_zone).toBe("UTC");
  });
});

onEachEngine("a refusal by the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("can be followed by its request_id: the user where one is signed in, the route and the code", async () => {
    const { api, observations, browser, signIn, users } = given();
    const [olga, anna, nobody] = [await signIn(users.olga.email), await signIn(users.anna.email), browser()];
    const sent = "secret-looking-text";
    const ofOlga = { userId: users.olga.id };
    const ofNobody = { network: "192.0.2.1" };
    const answers = [
      [await nobody.get(`/${sent}`), ofNobody, "other", "NOT_FOUND"],
      [await nobody.get("/keys"), ofNobody, "/portal/api/keys", "NOT_SIGNED_IN"],
      [
        await nobody.post("/session", { email: sent, password: sent }),
        ofNobody,
        "/portal/api/session",
        "NOT_SIGNED_IN",
      ],
      [await nobody.send(`/portal/assets/${sent}`, {}), ofNobody, "/portal/assets", "NOT_FOUND"],
      [await nobody.send("/portal/map", { method: "POST" }), ofNobody, "/portal", "METHOD_NOT_ALLOWED"],
      [await olga.post("/keys", { name: 7, scopes: sent }), ofOlga, "/portal/api/keys", "INVALID_REQUEST"],
      [
        await anna.change("PUT", `/fleet/users/${users.ben.id}/vehicles`, {}),
        { userId: users.anna.id },
        "/portal/api/fleet/users/{user_id}/vehicles",
        "FORBIDDEN",
      ],
      [await olga.get(`/data/trips?imei=${sent}`), ofOlga, "/portal/api/data/trips", "NOT_FOUND"],
      [await olga.get(`/data/devices?limit=${sent}`), ofOlga, "/portal/api/data/devices", "INVALID_REQUEST"],
      [await olga.get(`/data/${sent}`), ofOlga, "/portal/api/data/*", "NOT_FOUND"],
    ] as const;
    const facts = [...observations, ...api.observations];
    for (const [{ status, body }, caller, route, code] of answers) {
      const { request_id: requestId } = body;
      const traces = facts.filter((fact) => fact.kind === "request_refused" && fact.requestId === requestId);
      expect(traces as unknown).toEqual([{ kind: "request_refused", requestId, ...caller, route, status, code }]);
    }
    expect(JSON.stringify(facts)).not.toContain(sent);
  });
});

onEachEngine("the program", (engine) => {
  test("serves the portal beside the API, on one address and from all its processes", async () => {
    const { database, env } = await engine.fresh();
    const olga = { ...smallFleet.olga, password: "correct horse" };
    await load(database, [smallFleet.acme, olga]);
    const style = "https://tiles.example/style.json";
    const workers = engine.name === "postgres" ? ["--workers", "2"] : [];
    const args = ["serve", "--port", "0", "--ingest-port", "0", "--map-style", style, ...workers];
    const program = await startOdograph(args, { env });
    try {
      const at = (path: string, init: RequestInit = {}) => fetch(program.url + path, { redirect: "manual", ...init });
      const root = await at("/");
      expect([root.status, root.headers.get("Location")]).toEqual([302, "/portal"]);
      const signedIn = await at("/portal/api/session", {
        method: "POST",
        headers: { "X-Odograph-Portal": "1", Origin: program.url },
        body: JSON.stringify({ email: olga.email, password: olga.password }),
      });
      expect(signedIn.status).toBe(200);
      expect(await signedIn.json()).toMatchObject({ map: { style }, base_url: `${program.url}/v1` });
      const cookie = signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "";
      // Each on a connection of its own, so that each process gets some.
      const headers = { Cookie: cookie, Connection: "close" };
      for (let call = 0; call < 6; call++) {
        const session = await at("/portal/api/session", { headers });
        expect(session.status).toBe(200);
        expect(await session.json()).toMatchObject({ map: { style }, user: { name: "Olga" } });
      }
      expect((await at("/v1/health")).status).toBe(200);
      expect((await at("/v1/devices", { headers })).status).toBe(401);
    } finally {
      expect((await program.stop()).code).toBe(0);
    }
  });
});
