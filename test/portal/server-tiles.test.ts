import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { sharedPortal } from "../support/portal.ts";
import { archiveOf, putFile, scratchFolder } from "../support/street-tiles.ts";

const bounds = [-90, 0, 90, 85] as const;
const text = "streets ".repeat(200);
const opened: MapTiles[] = [];
let folder = "";
let file = "";

beforeAll(async () => {
  folder = await scratchFolder();
  file = join(folder, "streets.pmtiles");
  await putFile(file, archiveOf({ text, maxZoom: 3, bounds, attribution: "© Example" }));
});

afterEach(async () => {
  for (const tiles of opened.splice(0)) await tiles.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

onOneEngine("street tiles", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  /** The portal with the archive, and a person who is signed in. */
  async function withTiles(path = file) {
    let now = 0;
    const mapTiles = new MapTiles(path, () => {}, { clock: () => now });
    opened.push(mapTiles);
    const { signIn, browser } = given().node({ mapTiles });
    const olga = await signIn("olga@acme.example");
    const { map } = (await olga.get("/session")).body;
    const at = (z: number, x: number, y: number) =>
      (map.tiles?.url ?? "/portal/tiles/none/{z}/{x}/{y}").replace("{z}", z).replace("{x}", x).replace("{y}", y);
    const later = () => {
      now += 5_000;
    };
    return { olga, browser, map, at, later, signIn };
  }

  test("are part of the session: where they are, how far they reach, and whom to name", async () => {
    const { map } = await withTiles();
    expect(map).toEqual({
      style: null,
      style_dark: null,
      tiles: {
        url: expect.stringMatching(/^\/portal\/tiles\/[\w-]{12}\/\{z\}\/\{x\}\/\{y\}$/),
        min_zoom: 0,
        max_zoom: 3,
        bounds,
        attribution: "© Example",
        is_sparse: false,
      },
      problem: null,
    });
  });

  test("are for those who are signed in, owner or not", async () => {
    const { browser, olga, at, signIn } = await withTiles();
    expect((await browser().send(at(0, 0, 0), {})).status).toBe(401);
    expect((await olga.send(at(0, 0, 0), {})).status).toBe(200);
    const anna = await signIn("anna@acme.example");
    expect((await anna.send(at(0, 0, 0), {})).status).toBe(200);
    expect((await olga.change("DELETE", "/session")).status).toBe(204);
    expect((await olga.send(at(0, 0, 0), {})).status).toBe(401);
  });

  test("are for those who have a share link, as long as it lasts, and who does not ask for too many", async () => {
    const { browser, olga, at } = await withTiles();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: "Delivery", device_ids: [given().devices.van.id], until };
    const made = (await olga.post("/shares", body)).body;
    const visitor = browser();
    visitor.share = new URL(made.url).hash.slice(1);
    expect((await visitor.get("/share")).body.map.tiles.url).toContain("/portal/tiles/");
    expect((await visitor.send(at(0, 0, 0), {})).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 500 }, () => visitor.send(at(0, 0, 0), {})));
    expect(many.some(({ status }) => status === 429)).toBe(true);
    expect((await olga.post(`/shares/${made.data.share_id}/revoke`)).status).toBe(200);
    const later = given().node({}).browser("192.0.2.77");
    later.share = visitor.share;
    expect((await later.send(at(0, 0, 0), {})).status).toBe(404);
  });

  test("are sent compressed as they are, or plain to a client that wants them so, and are cached for ever", async () => {
    const { olga, at } = await withTiles();
    const gzip = await olga.send(at(2, 1, 1), { headers: { "Accept-Encoding": "zstd, gzip, br" } });
    expect(gzip.status).toBe(200);
    expect(gzip.headers.get("Content-Encoding")).toBe("gzip");
    expect(gzip.headers.get("Content-Type")).toBe("application/vnd.mapbox-vector-tile");
    expect(gzip.headers.get("Cache-Control")).toBe("private, max-age=31536000, immutable");
    const plain = await olga.send(at(2, 1, 1), { headers: { "Accept-Encoding": "identity" } });
    expect([plain.headers.get("Content-Encoding"), plain.text]).toEqual([null, text]);
    const head = await olga.send(at(2, 1, 1), { method: "HEAD" });
    expect([head.status, head.headers.get("Cache-Control")]).toEqual([200, gzip.headers.get("Cache-Control")]);
  });

  test("are not there outside of the archive, at no address that is none, and for no other method", async () => {
    const { olga, at } = await withTiles();
    expect((await olga.send(at(3, 0, 7), {})).status).toBe(204);
    for (const path of ["/0/0/1", "/1/2/0", "/23/0/0", "/0/0", "/0/0/0/0", "/a/b/c", "/-1/0/0", "/0/0/0.mvt", "/"]) {
      const answer = await olga.send(`/portal/tiles/x${path}`, {});
      expect([path, answer.status, answer.body?.error.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
    const sent = await olga.send(at(0, 0, 0), { method: "POST" });
    expect([sent.status, sent.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("do not count against the calls of a session", async () => {
    const { olga, at } = await withTiles();
    const answers = await Promise.all(Array.from({ length: 300 }, () => olga.send(at(1, 0, 0), {})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await olga.get("/session")).status).toBe(200);
  });

  test("of a replaced archive have another address; a page with the old one still gets streets, uncached", async () => {
    const own = join(folder, "replaced.pmtiles");
    await putFile(own, archiveOf({ text: "old", maxZoom: 1 }));
    const { olga, at, map, later } = await withTiles(own);
    await putFile(own, archiveOf({ text: "new", maxZoom: 1 }));
    later();
    const again = (await olga.get("/session")).body.map;
    expect(again.tiles.url).not.toBe(map.tiles.url);
    const answer = await olga.send(at(0, 0, 0), { headers: { "Accept-Encoding": "identity" } });
    expect([answer.text, answer.headers.get("Cache-Control")]).toEqual(["new", "no-store"]);
    await rm(own);
    later();
    expect((await olga.get("/session")).body.map).toMatchObject({ tiles: null, problem: "tiles_unusable" });
    const gone = await olga.send(at(0, 0, 0), {});
    expect([gone.status, gone.headers.get("Cache-Control")]).toEqual([503, "no-store"]);
  });

  test("are nowhere if none are configured, which is no problem", async () => {
    const olga = await given().signIn("olga@acme.example");
    expect((await olga.get("/session")).body.map).toEqual({
      style: null,
      style_dark: null,
      tiles: null,
      problem: null,
    });
    expect((await olga.send("/portal/tiles/x/0/0/0", {})).status).toBe(404);
  });

  test("come beside two styles of other sites, which the page may load from, both", async () => {
    const mapStyle = "https://tiles.example/light.json";
    const { browser, signIn } = given().node({ mapStyle, mapStyleDark: "https://night.example:8443/dark.json" });
    const { headers } = await browser().send("/portal", {});
    const policy = headers.get("Content-Security-Policy")?.split("; ") ?? [];
    expect(policy).toContain("connect-src 'self' https://tiles.example https://night.example:8443");
    const { map } = (await (await signIn("olga@acme.example")).get("/session")).body;
    expect([map.style, map.style_dark]).toEqual([mapStyle, "https://night.example:8443/dark.json"]);
  });
});
