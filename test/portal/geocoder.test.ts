import { afterAll, describe, expect, test } from "bun:test";
import type { Observation } from "../../src/observe/observation.ts";
import { Geocoder, type GeocoderPace } from "../../src/portal/geocoder/geocoder.ts";
import { type GeocoderKind, nameIn, questionOf } from "../../src/portal/geocoder/geocoder-answers.ts";
import { freePort } from "../support/free-port.mjs";
import { type GeocoderUnderTest, nominatimAnswer, photonAnswer, startGeocoder } from "../support/geocoder-server.ts";
import { patienceMs } from "../support/patience.ts";

/** Nobody waits for less than a busy machine needs, but where a geocoder says nothing. */
const pace: GeocoderPace = { pauseMs: 1, answerMs: patienceMs, waitMs: patienceMs, restMs: 60_000 };
const started: GeocoderUnderTest[] = [];

afterAll(() => Promise.all(started.map(({ stop }) => stop())));

function geocoderAt(server: GeocoderUnderTest, kind: GeocoderKind | null = null, change: Partial<GeocoderPace> = {}) {
  const seen: Observation[] = [];
  const geocoder = new Geocoder({ url: server.url, kind }, (observation) => seen.push(observation), {
    ...pace,
    ...change,
  });
  return { geocoder, seen };
}

function start(...given: Parameters<typeof startGeocoder>): GeocoderUnderTest {
  const server = startGeocoder(...given);
  started.push(server);
  return server;
}

describe("a geocoder", () => {
  for (const kind of ["photon", "nominatim"] as const) {
    test(`of the kind ${kind} is recognised by its answer, and then asked only in its own way`, async () => {
      const server = start(kind);
      const { geocoder, seen } = geocoderAt(server);
      expect(await geocoder.nameOf(53.55, 9.99)).toEqual({ name: "Hafenstraße 12, Hamburg", mayChange: false });
      const first = server.asked.length;
      await geocoder.nameOf(53.56, 9.99);
      expect(server.asked.length).toBe(first + 1);
      expect(seen).toEqual([]);
    });
  }

  test("is asked once for places that round to the same, also at the same time", async () => {
    const server = start("photon");
    const { geocoder } = geocoderAt(server, "photon");
    const names = await Promise.all([geocoder.nameOf(53.550001, 9.99), geocoder.nameOf(53.55, 9.990001)]);
    names.push(await geocoder.nameOf(53.55, 9.99));
    expect(new Set(names.map(({ name }) => name)).size).toBe(1);
    expect(server.asked).toEqual(["/reverse?lat=53.5500&lon=9.9900"]);
  });

  test("is asked one question at a time", async () => {
    const server = start("photon", { delayMs: 5 });
    const { geocoder } = geocoderAt(server, "photon");
    await Promise.all(Array.from({ length: 12 }, (_, index) => geocoder.nameOf(50 + index, 8)));
    expect(server.asked.length).toBe(12);
    expect(server.mostAtOnce()).toBe(1);
  });

  test("that is asked too much at once refuses the rest, which may be asked for later", async () => {
    const server = start("photon", { delayMs: 5 });
    const { geocoder } = geocoderAt(server, "photon");
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => geocoder.nameOf(index, 8)));
    expect(answers.filter(({ mayChange }) => mayChange).length).toBe(20);
    expect((await geocoder.nameOf(59, 8)).name).not.toBeNull();
  });

  test("knows places without a name, and is not asked for them again", async () => {
    for (const kind of ["photon", "nominatim"] as const) {
      const server = start(kind, { isEmpty: true });
      const { geocoder } = geocoderAt(server, kind);
      expect(await geocoder.nameOf(0, 0)).toEqual({ name: null, mayChange: false });
      await geocoder.nameOf(0, 0);
      expect(server.asked.length).toBe(1);
    }
  });

  const failures: [what: string, answer: () => Response | Promise<Response>, reason: string][] = [
    ["fails", () => new Response("no", { status: 500 }), "it answers with status 500"],
    ["leads elsewhere", () => Response.redirect("http://127.0.0.1:1/", 302), "it answers with status 302"],
    ["answers with a page", () => new Response("<html>"), "its answer is not JSON"],
    ["is something else", () => Response.json({ hello: 1 }), "it does not answer as photon does"],
    ["answers without end", () => new Response("x".repeat(100_000)), "its answer is too long, or broke off"],
    ["does not answer", () => new Promise<Response>(() => {}), "no answer in time"],
  ];
  for (const [what, answer, reason] of failures) {
    test(`that ${what} gives no name, is reported once, and then left alone for a while`, async () => {
      const server = start("photon", { answer });
      const isSilent = reason === "no answer in time";
      const { geocoder, seen } = geocoderAt(server, null, isSilent ? { answerMs: 400 } : {});
      expect(await geocoder.nameOf(53.55, 9.99)).toEqual({ name: null, mayChange: true });
      const asked = server.asked.length;
      expect(await geocoder.nameOf(53.55, 9.99)).toEqual({ name: null, mayChange: true });
      expect(server.asked.length).toBe(asked);
      expect(seen).toEqual([{ kind: "geocoder_failed", reason, retryMs: pace.restMs }]);
    });
  }

  test("that answers again names places again", async () => {
    let isBroken = true;
    const server = start("photon", {
      answer: () => (isBroken ? new Response("", { status: 503 }) : Response.json(photonAnswer)),
    });
    const { geocoder, seen } = geocoderAt(server, "photon", { restMs: 0 });
    for (let round = 0; round < 3; round++) expect((await geocoder.nameOf(53.55, 9.99)).name).toBeNull();
    isBroken = false;
    expect((await geocoder.nameOf(53.55, 9.99)).name).toBe("Hafenstraße 12, Hamburg");
    expect(seen.length).toBe(1);
  });

  test("that cannot be reached is no error, and its password is in no report", async () => {
    const server = start("photon");
    const url = new URL(server.url);
    url.username = "fleet";
    url.password = "secret";
    const withPassword = { ...server, url: url.href };
    expect((await geocoderAt(withPassword, "photon").geocoder.nameOf(53.55, 9.99)).name).not.toBeNull();
    expect(server.authorisations).toEqual([`Basic ${btoa("fleet:secret")}`]);
    url.port = String(await freePort());
    const { geocoder, seen } = geocoderAt({ ...server, url: url.href }, "photon");
    expect(await geocoder.nameOf(53.55, 9.99)).toEqual({ name: null, mayChange: true });
    expect(seen).toEqual([{ kind: "geocoder_failed", reason: "it cannot be reached", retryMs: pace.restMs }]);
  });

  test("that is slow does not hold who asks, and what it says is cached", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const server = start("photon", { answer: () => promise });
    const { geocoder } = geocoderAt(server, "photon", { waitMs: 5 });
    expect(await geocoder.nameOf(53.55, 9.99)).toEqual({ name: null, mayChange: true });
    resolve(Response.json(photonAnswer));
    let name: string | null = null;
    while (name === null) ({ name } = await geocoder.nameOf(53.55, 9.99));
    expect(name).toBe("Hafenstraße 12, Hamburg");
    expect(server.asked.length).toBe(1);
  });
});

describe("the address of a question", () => {
  const cases: [base: string, kind: GeocoderKind, asked: string][] = [
    ["http://g.test", "photon", "http://g.test/reverse?lat=1&lon=2"],
    ["http://g.test/photon/", "photon", "http://g.test/photon/reverse?lat=1&lon=2"],
    ["http://g.test/reverse", "nominatim", "http://g.test/reverse?format=jsonv2&lat=1&lon=2"],
    ["https://u:p@g.test/n?key=k", "nominatim", "https://g.test/n/reverse?key=k&format=jsonv2&lat=1&lon=2"],
  ];
  for (const [base, kind, asked] of cases) {
    test(`of ${base}`, () => expect(questionOf(kind, new URL(base), "1", "2").href).toBe(asked));
  }
});

describe("the name in an answer", () => {
  const photon = (properties: object) => nameIn("photon", { ...photonAnswer, features: [{ properties }] });
  const nominatim = (fields: object) => nameIn("nominatim", { ...nominatimAnswer, ...fields });

  test("has the number of the house where people of that country put it", () => {
    const house = { street: "Main St", housenumber: "7", city: "Albany" };
    expect(photon({ ...house, countrycode: "US" })).toBe("7 Main St, Albany");
    expect(photon({ ...house, countrycode: "DE" })).toBe("Main St 7, Albany");
  });

  test("is that of the street, or of what is there, with the town", () => {
    expect(photon({ name: "Elbe", city: "Hamburg" })).toBe("Elbe, Hamburg");
    expect(photon({ name: "Hamburg", city: "Hamburg" })).toBe("Hamburg");
    expect(nominatim({ address: { road: "B 75", village: "Elmenhorst" } })).toBe("B 75, Elmenhorst");
    expect(nominatim({ address: undefined, name: "", display_name: "Somewhere" })).toBe("Somewhere");
    expect(photon({})).toBeNull();
  });

  test("has nothing in it that cannot be seen or that turns the writing around", () => {
    expect(photon({ name: "\u202egro.live\u202c \u0000\u001b[31mWay\u0085", city: "Ham\u2066burg" })).toBe(
      "gro.live [31mWay, Hamburg",
    );
    expect(photon({ street: "Main\r\nSt", housenumber: "\u200f7", city: "\u200e\u0007" })).toBe("Main St 7");
    expect(photon({ name: "\u0000", city: "\u2028" })).toBeNull();
    expect(nominatim({ address: { road: "B\u202a 75", village: "Elmen\ud800horst" } })).toBe("B 75, Elmenhorst");
    expect(nominatim({ address: {}, name: "", display_name: "\u2067Some\twhere" })).toBe("Some where");
    expect(nominatim({ address: {}, name: "", display_name: "\u0000" })).toBeNull();
    // Persian, with the joiner that it needs, and a character of two halves.
    expect(photon({ name: "می\u200cدان 🚚" })).toBe("می\u200cدان 🚚");
  });

  test("is bounded, whatever is said", () => {
    expect(photon({ name: "x".repeat(1000) })?.length).toBe(120);
    expect(photon({ name: 5, street: null, city: "Hamburg" })).toBe("Hamburg");
  });
});
