import { expect, test } from "bun:test";
import { type Encoding, encodeReady } from "../../src/http/encoding.ts";
import { assetsPath, type PortalFile, portalFiles } from "../../src/portal/bundle.ts";

/** What a visitor loads before anything is shown, compressed. */
const maxFirstLoadBytes = 400_000;

/** What a visitor of the map has loaded before the first street, compressed. */
const maxMapBytes = 900_000;

const { page, assets } = await portalFiles();
const html = new TextDecoder().decode(page.body.bytes);
const firstLoad = [...assets.values()].filter(({ name }) => html.includes(assetsPath + name));

const packed = ({ body }: PortalFile, encoding: Encoding) => encodeReady(body, encoding);

function textOf({ body }: PortalFile): string {
  return new TextDecoder().decode(body.bytes);
}

test("the first load is small, and the map is no part of it", () => {
  const bytes = firstLoad.reduce((sum, file) => sum + (packed(file, "gzip") ?? file.body.bytes).byteLength, 0);
  expect(bytes).toBeLessThan(maxFirstLoadBytes);
  const scripts = firstLoad.filter(({ contentType }) => contentType.startsWith("text/javascript"));
  expect(scripts.length).toBe(1);
  for (const script of scripts) expect(textOf(script)).not.toContain("maplibregl-canvas");
});

test("the map with streets is small before its first tile: page, scripts, styles, worker and the world", () => {
  const begins = /^(?:live-map|map-page|maplibre-gl-worker|countries-50m)-/;
  const needed = new Set([...firstLoad, ...[...assets.values()].filter(({ name }) => begins.test(name))]);
  // A set that grows while it is walked: with what each script imports.
  for (const file of needed) {
    if (!file.contentType.startsWith("text/javascript")) continue;
    for (const [, name = ""] of textOf(file).matchAll(/(?:from|import)\s*"[^"]*\/([^/"]+)"/g)) {
      const imported = assets.get(name);
      if (imported) needed.add(imported);
    }
  }
  expect([...needed].some((file) => textOf(file).includes("maplibregl-canvas-container"))).toBe(true);
  const bytes = [...needed].reduce((sum, file) => sum + (packed(file, "gzip") ?? file.body.bytes).byteLength, 0);
  expect(bytes).toBeLessThan(maxMapBytes);
});

test("the map, its worker and the world are files of the program", () => {
  const names = [...assets.keys()].join("\n");
  expect(names).toMatch(/^maplibre-gl-worker-\w+\.mjs$/m);
  expect(names).toMatch(/^countries-50m-\w+\.json$/m);
});

test("no file loads anything from elsewhere, and none holds a script or a style of its own in the page", () => {
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=/);
  for (const file of assets.values()) {
    if (file.contentType.startsWith("text/css")) expect(textOf(file)).not.toMatch(/url\(["']?(?:https?:)?\/\//);
  }
});

test("a compressed file is the same file", () => {
  for (const file of firstLoad) {
    const gzip = packed(file, "gzip");
    if (gzip) expect(Bun.hash(Bun.gunzipSync(gzip))).toBe(Bun.hash(file.body.bytes));
    const zstd = packed(file, "zstd");
    if (zstd) expect(Bun.hash(Bun.zstdDecompressSync(zstd))).toBe(Bun.hash(file.body.bytes));
  }
});

test("it is made once", async () => {
  expect(await portalFiles()).toBe(await portalFiles());
});
