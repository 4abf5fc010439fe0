import { expect, test } from "bun:test";
import { noPreferences } from "../../src/domain/preferences.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedPortal } from "../support/portal.ts";

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
});
