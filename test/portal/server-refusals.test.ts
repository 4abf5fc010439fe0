import { expect, test } from "bun:test";
import { onOneEngine } from "../support/one-engine.ts";
import { sharedPortal } from "../support/portal.ts";

onOneEngine("a refusal by the portal", (engine) => {
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
