import { describe, expect, test } from "bun:test";
import { trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import { families as usualPorts } from "../../src/intake/trackers/families.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as administration from "../../src/portal/both-sides/texts/en/administration/index.ts";
import * as texts from "../../src/portal/both-sides/texts/en/index.ts";
import { type ConnectionFacts, connectionOf } from "../../src/portal/page/connect/connection.ts";
import { findModels, recipeFamilies } from "../../src/portal/page/connect/models.ts";
import { filledLines, type Recipe, type RecipeName, recipeOf, recipes } from "../../src/portal/page/connect/recipes.ts";
import { fieldWords, frameWords } from "../../src/portal/page/tracker-messages/message-words.ts";

describe("a model that a person types", () => {
  const first = (typed: string) => findModels(typed)[0];

  test("is found however it is written", () => {
    const found: Readonly<Record<string, readonly [name: string, recipe: RecipeName]>> = {
      "ST-901": ["ST-901", "h02"],
      "st 901": ["ST-901", "h02"],
      "st901a+": ["ST-901A+", "jt808"],
      GT06N: ["GT06N", "gt06"],
      "Concox GT06N": ["GT06N", "gt06"],
      FMB920: ["FMB920", "teltonika"],
      "teltonika fmc 130": ["FMC130", "teltonika"],
      FM1100: ["FM1100", "teltonika_old"],
      GV300: ["GV300", "queclink"],
      "Queclink GV300": ["GV300", "queclink"],
      ST4340: ["ST4340", "suntech_universal"],
      "Suntech ST600R": ["ST600R", "suntech_other"],
      "meitrack t366": ["T366", "meitrack"],
      "FM-Eco4+": ["FM-Eco4+", "ruptela"],
      "TLW2-12B": ["TLW2-12B", "topflytech"],
      "Galileosky 7.0": ["Galileosky 7.0", "galileosky"],
      GV310LAU: ["GV310LAU", "queclink_new"],
      GT02E: ["GT02E", "gt06"],
      GT301: ["GT301", "queclink_new"],
      TK103B: ["Coban TK103B", "gps103"],
      "Coban 303": ["Coban 303", "gps103"],
      TK103: ["TK103", "tk103"],
      VL502: ["VL502", "jimi_jt808"],
      "micodus mv710g": ["Micodus MV710G", "micodus"],
      Sinotrack: ["ST-901", "h02"],
    };
    for (const [typed, [name, recipe]] of Object.entries(found)) {
      expect([typed, first(typed)]).toEqual([typed, { name, recipe }]);
    }
    // Offered once, with the maker's name and without.
    for (const typed of ["GV300", "Queclink GV300"])
      expect(findModels(typed).filter(({ name }) => name === "GV300").length).toBe(1);
    // Sold under one name with either protocol: both are offered.
    expect(new Set(findModels("tk103").map(({ recipe }) => recipe))).toEqual(new Set(["tk103", "gps103"]));
    for (const typed of ["", "g", "nothing such", "9999"]) expect([typed, findModels(typed)]).toEqual([typed, []]);
    expect(findModels("st").length).toBeLessThanOrEqual(8);
  });

  test("or its family is chosen: each protocol has one", () => {
    const offered = new Set(recipeFamilies.map((name) => recipeOf(name).protocol));
    expect(offered).toEqual(new Set(trackerProtocols));
  });
});

describe("the lines of a recipe", () => {
  const values = { host: "fleet.example", port: 5023, apn: "", user: "", secret: "", code: "123456" };
  const texts = (name: RecipeName, more: Partial<typeof values> = {}) =>
    filledLines(recipeOf(name), { ...values, ...more }).map(({ text }) => text);
  const apn = { apn: "internet", user: "me", secret: "pass" };

  test("are those of the manuals, with what is known filled in", () => {
    expect(texts("gt06")).toEqual([
      "APN,APN#",
      "SERVER,1,fleet.example,5023,0#",
      "GMT,E,0,0#",
      "TIMER,30#",
      "GPRSON,1#",
      "PARAM#",
      "STATUS#",
    ]);
    expect(texts("gt06", { ...apn, host: "203.0.113.9" }).slice(0, 2)).toEqual([
      "APN,internet,me,pass#",
      "SERVER,0,203.0.113.9,5023,0#",
    ]);
    expect(texts("h02", { code: "0000", apn: "internet" })).toEqual([
      "8030000 internet",
      "8040000 fleet.example 5023",
      "7100000",
      "8960000E00",
      "8050000 20",
      "8090000 300",
      "RCONF",
    ]);
    expect(texts("h02", { code: "0000", ...apn })[0]).toBe("8030000 internet me pass");
    expect(texts("gps103", apn)).toEqual([
      "begin123456",
      "apn123456 internet",
      "apnuser123456 me",
      "apnpasswd123456 pass",
      "adminip123456 fleet.example 5023",
      "gprs123456",
      "fix030s***n123456",
      "protocol123456 18 out",
    ]);
    expect(texts("tk103")).toEqual([
      "apn123456 APN",
      "adminip123456 fleet.example 5023",
      "gprs123456",
      "t030s***n123456",
    ]);
    expect(texts("teltonika", { code: "" })).toEqual([
      "  setparam 2001:APN",
      "  setparam 2004:fleet.example;2005:5023;2006:0",
      "  getparam 2004",
      "  getinfo",
    ]);
    expect(texts("teltonika", { code: "log in", ...apn })[0]).toBe("log in setparam 2001:internet;2002:me;2003:pass");
    expect(texts("teltonika_old", { code: "" })).toEqual([
      "  setparam 1242 APN",
      "  setparam 1245 fleet.example",
      "  setparam 1246 5023",
      "  setparam 1247 0",
    ]);
    expect(texts("queclink", { code: "gv300", ...apn })).toEqual([
      "AT+GTBSI=gv300,internet,me,pass,,,,,FFFF$",
      "AT+GTSRI=gv300,3,,1,fleet.example,5023,,,,15,1,0,,,,FFFF$",
      "AT+GTTMA=gv300,+,0,0,0,,,,,,FFFF$",
    ]);
    expect(texts("suntech", apn)).toEqual([
      "ST300NTW;ID;02;1;internet;me;pass;fleet.example;5023;;;;",
      "ST300ADP;ID;02;U;U;1;;0;0;0;0;0;0",
      "ST300CMD;ID;02;StatusReq",
    ]);
    expect(texts("suntech")[0]).toBe("ST300NTW;ID;02;0;APN;;;fleet.example;5023;;;;");
    expect(texts("suntech_universal", apn).slice(0, 2)).toEqual([
      "PRG;ID;10;00#01;01#internet;02#me;03#pass",
      "PRG;ID;10;05#fleet.example;06#5023",
    ]);
    expect(texts("meitrack", { code: "0000", ...apn })[0]).toBe("0000,A21,1,fleet.example,5023,internet,me,pass");
    expect(texts("ruptela", { code: "key", ...apn })).toEqual([
      "key setconnection internet,me,pass,fleet.example,5023,TCP",
    ]);
    expect(texts("galileosky", apn)).toEqual(["APN internet,me,pass", "ServerIp fleet.example,5023"]);
    expect(texts("queclink", { code: "" })[0]).toBe("AT+GTBSI=PASSWORD,APN,,,,,,,FFFF$");
    expect(texts("g10ls", { apn: "internet" })).toEqual(["apn123456 internet", "CQ"]);
    for (const name of ["jt808", "queclink_new", "topin"] as const) expect(texts(name)).toEqual([]);
  });
});

test("every line that the page shows stands in the docs", async () => {
  const docs = await Bun.file(new URL("../../docs/trackers.md", import.meta.url)).text();
  const port = 65_432;
  const values = { host: "SERVER", port, apn: "", user: "USER", code: "" };
  for (const recipe of Object.values<Recipe>(recipes)) {
    const shown = ["PASSWORD", "PASS"].map((secret) => filledLines(recipe, { ...values, secret }));
    for (const [at, { text }] of (shown[0] ?? []).entries()) {
      const forms = [text, shown[1]?.[at]?.text ?? text].flatMap((form) =>
        ["PORT", String(usualPorts[recipe.protocol].port)].map((each) => form.replace(String(port), each)),
      );
      expect([text, forms.some((form) => docs.includes(`\`${form}\``))]).toEqual([text, true]);
    }
  }
});

describe("how far a tracker has come", () => {
  const enteredAt = Date.UTC(2026, 10, 17, 12);
  const at = (seconds: number) => new Date(enteredAt + 1_000 * seconds).toISOString();
  const entry = {
    expected_id: "e",
    tracker: "861000000004213",
    entered_at: at(0),
    called_at: null,
    last_protocol: null,
    count: 0,
    device_id: null,
  };
  const nothing: ConnectionFacts = { expected: [entry], vehicle: null, position: null, messages: [] };
  const called = [{ ...entry, called_at: at(5), last_protocol: "gt06" as const, count: 1 }];
  const state = (facts: Partial<ConnectionFacts>, seconds = 60) =>
    connectionOf({ ...nothing, ...facts }, enteredAt + 1_000 * seconds);
  const vehicle = { last_seen_at: at(-3_600) };
  const message = (seconds: number, frame: Record<string, unknown>) => ({
    ...{ received_at: at(seconds), frames: [frame], outcome: "stored" as const },
  });

  test("goes from silence over its call and its vehicle to a fix and the map", () => {
    expect(state({})).toEqual({ state: "silent" });
    expect(state({ expected: called })).toEqual({ state: "stranger" });
    expect(state({ expected: called, vehicle })).toEqual({ state: "returning" });
    expect(state({ vehicle })).toEqual({ state: "silent" });
    // What the vehicle did with another tracker, or through a gateway, does not count.
    expect(state({ vehicle, position: { received_at: at(-3_600) } })).toEqual({ state: "silent" });
    const login = { received_at: at(10), frames: [], outcome: "stored" as const };
    // The vehicle is bound to another protocol: that it called is said, and why it was refused.
    const other = { ...login, outcome: "other_protocol" as const };
    expect(state({ vehicle, messages: [other] })).toEqual({ state: "other_protocol" });
    expect(state({ vehicle, messages: [login, other] })).toEqual({ state: "no_fix", satellites: null });
    expect(state({ vehicle, messages: [login] })).toEqual({ state: "no_fix", satellites: null });
    expect(state({ vehicle: { last_seen_at: at(10) } })).toEqual({ state: "no_fix", satellites: null });
    const blind = [message(30, { fix: false, satellites: 3 }), message(20, { fix: false, satellites: 0 }), login];
    expect(state({ vehicle, messages: blind })).toEqual({ state: "no_fix", satellites: 3 });
    expect(state({ vehicle, position: { received_at: at(40) }, messages: blind })).toEqual({ state: "here" });
    const fixed = [message(40, { fix: true, satellites: 9 }), ...blind];
    expect(state({ vehicle, position: { received_at: at(-60) }, messages: fixed })).toEqual({ state: "here" });
    // A position that is not on the map after a while is not believed.
    expect(state({ vehicle, messages: fixed }, 45)).toEqual({ state: "no_fix", satellites: 9 });
    expect(state({ vehicle, messages: fixed }, 51)).toEqual({ state: "doubted" });
  });
});

describe("what a message says", () => {
  const said = (units: Partial<typeof usualUnits>, frame: Record<string, unknown>) => {
    const show = new Show("en", texts, { ...usualUnits, ...units } as typeof usualUnits, "Europe/Berlin");
    const facts = frameWords(frame, { ...texts, ...administration, show });
    return Object.fromEntries(facts.filter(([, value]) => value !== null));
  };
  const frame = {
    recorded_at: "2026-03-14T08:15:30.000Z",
    latitude: 52.52,
    longitude: 13.405,
    fix: true,
    speed_kmh: 50,
    heading_deg: 90,
    altitude_m: 100,
    satellites: 9,
    ignition: false,
    odometer_km: 1_000,
    external_voltage_v: 12.44,
    battery_percent: 95,
    event: "harsh_braking",
    driver_id: "01AB",
    sensors: [{ kind: "temperature", sensor: "dallas_1", temperature_c: 4.5, humidity_percent: 60 }],
  };

  test("is in the person's words, units and time zone, without what it does not say", () => {
    expect(said({}, frame)).toEqual({
      "Time by the tracker": "14 Mar 2026, 09:15:30",
      Coordinates: "52.52000, 13.40500",
      Fix: "Yes",
      Satellites: "9",
      Speed: "50 km/h",
      Heading: "90° E",
      Ignition: "Off",
      Event: "Harsh braking",
      Odometer: "1,000 km",
      Supply: "12.4 V",
      "Tracker's battery": "95 %",
      Altitude: "100 m",
      Driver: "01AB",
      dallas_1: "4.5 °C · 60 %",
    });
    const miles = said({ distance: "mi", temperature: "f", clock: "12" }, frame);
    expect([miles.Speed, miles.Altitude, miles.dallas_1]).toEqual(["31 mph", "328 ft", "40.1 °F · 60 %"]);
    expect(said({}, { recorded_at: frame.recorded_at, fix: false, event: "power_on" })).toEqual({
      "Time by the tracker": "14 Mar 2026, 09:15:30",
      Fix: "No",
      Event: "power on",
    });
    const all = { ...texts, ...administration, show: new Show("en", texts, usualUnits, "UTC") };
    expect(["speed_kmh", "lls_1 volume_l"].map((name) => fieldWords(name, all))).toEqual(["Speed", "lls_1 volume_l"]);
  });
});
