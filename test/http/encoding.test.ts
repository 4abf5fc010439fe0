import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseEncoding } from "../../src/http/encoding.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";
import { forAll } from "../support/for-all.ts";

const day = "from=2026-06-15T00:00:00Z&to=2026-06-16T00:00:00Z";

describe("the encoding of an answer", () => {
  test.each<[string | null, ReturnType<typeof chooseEncoding>]>([
    [null, null],
    ["", null],
    ["identity", null],
    ["br, deflate", null],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["zstd", "zstd"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["GZIP;Q=0.8", "gzip"],
    ["gzip;q=1.0, zstd;q=0.5", "gzip"],
    ["zstd;q=0.5,gzip;q=0.5", "zstd"],
    ["gzip;q=0", null],
    ["zstd;q=0, gzip", "gzip"],
    ["gzip;q=0.001", "gzip"],
    ["*", "zstd"],
    ["*;q=0", null],
    ["*;q=0, gzip", "gzip"],
    ["zstd;q=0, *", "gzip"],
    ["gzip;q=0, *", "zstd"],
    ["zstd;q=0, gzip;q=0, *", null],
    ["identity, gzip;q=0.5", null],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity;q=0.5, *;q=0.8", "zstd"],
    ["gzip, identity", "gzip"],
    ["gzip;q=x", null],
    ["gzip;q=-1", null],
    [",,;;,q=1", null],
  ])("asked for by %p is %p", (asked, chosen) => expect(chooseEncoding(asked)).toBe(chosen));

  test("property: is never one that was refused or not named, whatever is asked", () => {
    const coding = fc.constantFrom("gzip", "zstd", "identity", "br", "*");
    const wish = fc.tuple(coding, fc.constantFrom("", ";q=0", ";q=0.0", ";q=0.3", ";q=1", " ; q=0.7"));
    forAll(100, [fc.uniqueArray(wish, { selector: ([name]) => name, maxLength: 5 })], (wishes) => {
      const chosen = chooseEncoding(wishes.map(([name, quality]) => name + quality).join(", "));
      if (chosen === null) return;
      const own = wishes.find(([name]) => name === chosen) ?? wishes.find(([name]) => name === "*");
      expect(own?.[1]).not.toMatch(/q=0(\.0)?$/);
      expect(own).toBeDefined();
    });
  });
});

onEachEngine("an answer", (engine) => {
  const given = sharedFleetApi(engine);
  /** Both kinds of body: one that is made for the call and one that is kept ready. */
  const long = [`/sensors/fuel?${day}`, "/positions/latest"];

  async function raw(path: string, key: string, acceptEncoding: string | null, method = "GET") {
    const headers: Record<string, string> = { "X-API-Key": key };
    if (acceptEncoding !== null) headers["Accept-Encoding"] = acceptEncoding;
    const request = new Request(`http://odograph.test/v1${path}`, { headers, method });
    const response = await given().api.api.answer(request, () => "127.0.0.1");
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  test("is compressed as asked for, and the same when unpacked, again and again", async () => {
    const key = await given().key();
    for (const path of long) {
      const plain = await raw(path, key, null);
      expect(plain.bytes.byteLength).toBeGreaterThan(1024);
      expect(plain.response.headers.get("Content-Encoding")).toBeNull();
      for (const times of [1, 2]) {
        const gzip = await raw(path, key, "gzip");
        expect([times, gzip.response.headers.get("Content-Encoding")]).toEqual([times, "gzip"]);
        expect(Bun.gunzipSync(gzip.bytes)).toEqual(plain.bytes);
        const zstd = await raw(path, key, "gzip, zstd");
        expect(zstd.response.headers.get("Content-Encoding")).toBe("zstd");
        expect(new Uint8Array(Bun.zstdDecompressSync(zstd.bytes))).toEqual(plain.bytes);
        for (const { bytes, response } of [gzip, zstd]) {
          expect(bytes.byteLength).toBeLessThan(plain.bytes.byteLength);
          expect(response.headers.has("ETag")).toBe(plain.response.headers.has("ETag"));
        }
      }
      for (const asked of ["identity", "br", "gzip;q=0, zstd;q=0", "*;q=0"]) {
        const { response, bytes } = await raw(path, key, asked);
        expect([asked, response.headers.get("Content-Encoding")]).toEqual([asked, null]);
        expect(bytes).toEqual(plain.bytes);
      }
    }
  });

  test("has one strong tag for each encoding, and a 304 carries the one that the client has", async () => {
    const key = await given().key();
    const path = "/positions/latest";
    const tagOf = async (asked: string | null, method?: string) =>
      (await raw(path, key, asked, method)).response.headers.get("ETag") ?? "";
    const tags = { plain: await tagOf(null), gzip: await tagOf("gzip"), zstd: await tagOf("zstd") };
    expect(new Set(Object.values(tags)).size).toBe(3);
    for (const tag of Object.values(tags)) expect(tag).toMatch(/^"[\w-]+"$/);
    expect([await tagOf("gzip", "HEAD"), await tagOf(null, "HEAD")]).toEqual([tags.gzip, tags.plain]);

    const { plain, gzip, zstd } = tags;
    const polls: [ifNoneMatch: string, acceptEncoding: string, tag: string][] = [
      [gzip, "gzip", gzip],
      [gzip, "identity", gzip],
      [plain, "gzip", plain],
      [`W/${gzip}`, "gzip", gzip],
      [`"a", ${zstd} , "b"`, "gzip", zstd],
      ["*", "gzip", gzip],
      ["*", "identity", plain],
      // A cache that has several learns which of them it may use for this request.
      [`${plain}, ${gzip}, ${zstd}`, "gzip", gzip],
      [`${plain}, W/${gzip}`, "identity", plain],
      [`${gzip}, ${zstd}`, "identity", gzip],
    ];
    for (const [tag, asked, sent] of polls) {
      const headers = { "X-API-Key": key, "If-None-Match": tag, "Accept-Encoding": asked };
      const poll = await given().api.request(path, { headers });
      expect([tag, asked, poll.status, poll.headers.get("ETag")]).toEqual([tag, asked, 304, sent]);
    }
    const none = [
      plain.replace('"', '"x'),
      gzip.replace("-gzip", "-br"),
      gzip.replace("-gzip", "-gzip-zstd"),
      `${gzip}"`,
    ];
    for (const tag of none) {
      const headers = { "X-API-Key": key, "If-None-Match": tag, "Accept-Encoding": "gzip" };
      const poll = await given().api.api.answer(
        new Request(`http://odograph.test/v1${path}`, { headers }),
        () => "::1",
      );
      expect([tag, poll.status, poll.headers.get("ETag")]).toEqual([tag, 200, gzip]);
    }
  });

  test("below 1 KiB is sent as it is, and so is every error", async () => {
    const key = await given().key();
    for (const path of ["/users?limit=1", "/health", "/nothing", "/devices?limit=0"]) {
      const { response, bytes } = await raw(path, key, "gzip, zstd");
      expect([path, response.headers.get("Content-Encoding")]).toEqual([path, null]);
      expect(bytes.byteLength).toBeLessThan(1024);
      JSON.parse(new TextDecoder().decode(bytes));
    }
  });

  test("says that it depends on what the client takes, whether or not it was compressed", async () => {
    const key = await given().key();
    const tag = (await raw("/positions/latest", key, null)).response.headers.get("ETag") ?? "";
    for (const path of [...long, "/users?limit=1"]) {
      for (const asked of [null, "gzip"]) {
        expect((await raw(path, key, asked)).response.headers.get("Vary")).toBe("Accept, Accept-Encoding");
      }
    }
    const headers = { "X-API-Key": key, "If-None-Match": tag };
    const unchanged = await given().api.request("/positions/latest", { headers });
    expect([unchanged.status, unchanged.headers.get("Vary")]).toEqual([304, "Accept, Accept-Encoding"]);
  });
});
