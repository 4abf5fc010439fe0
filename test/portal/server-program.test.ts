import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { startOdograph } from "../support/program.ts";
import { served } from "../support/served.ts";

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
      const at = (path: string, init: RequestInit = {}) =>
        served(() => fetch(program.url + path, { redirect: "manual", ...init }));
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
