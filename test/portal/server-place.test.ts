import { describe, expect, test } from "bun:test";
import { startGeocoder } from "../support/geocoder-server.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { sharedPortal } from "../support/portal.ts";

onOneEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("the name of a place", () => {
    test("comes from the geocoder of the settings, for whoever is signed in", async () => {
      const geocoder = startGeocoder("nominatim");
      const { users, node } = given();
      const { browser, signIn } = node({ geocoder: { url: geocoder.url, kind: null } });
      expect((await browser().get("/place?lat=53.55&lon=9.99")).status).toBe(401);
      expect(geocoder.asked).toEqual([]);
      for (const email of [users.olga.email, users.anna.email]) {
        const person = await signIn(email);
        expect((await person.get("/session")).body.has_geocoder).toBe(true);
        const { status, body } = await person.get("/place?lat=53.55&lon=9.99");
        expect([status, body]).toEqual([200, { name: "Hafenstraße 12, Hamburg", may_change: false }]);
      }
      expect(geocoder.asked).toEqual(["/reverse?format=jsonv2&lat=53.5500&lon=9.9900"]);
      await geocoder.stop();
    });

    test("is none without a geocoder, and none while it fails", async () => {
      const { users, node } = given();
      const olga = await node().signIn(users.olga.email);
      expect((await olga.get("/session")).body.has_geocoder).toBe(false);
      expect((await olga.get("/place?lat=1&lon=2")).body).toEqual({ name: null, may_change: false });

      const geocoder = startGeocoder("photon", { answer: () => new Response("", { status: 500 }) });
      const { signIn, observations } = node({ geocoder: { url: geocoder.url, kind: "photon" } });
      const { status, body } = await (await signIn(users.olga.email)).get("/place?lat=1&lon=2");
      expect([status, body]).toEqual([200, { name: null, may_change: true }]);
      expect(observations.filter(({ kind }) => kind === "geocoder_failed")).toHaveLength(1);
      await geocoder.stop();
    });

    test("is asked for with degrees only", async () => {
      const { users, signIn } = given();
      const olga = await signIn(users.olga.email);
      for (const wrong of [
        "",
        "?lat=1",
        "?lat=91&lon=0",
        "?lat=0&lon=-180.1",
        "?lat=1e1&lon=0",
        "?lat=&lon=",
        "?lat=NaN&lon=0",
      ])
        expect([wrong, (await olga.get(`/place${wrong}`)).status]).toEqual([wrong, 400]);
      for (const right of ["?lat=90&lon=-180", "?lat=-0.5&lon=1.23456789"])
        expect([right, (await olga.get(`/place${right}`)).status]).toEqual([right, 200]);
    });
  });
});
