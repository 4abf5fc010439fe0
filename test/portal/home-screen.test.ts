import { expect, test } from "bun:test";
import { assetsPath, portalFiles } from "../../src/portal/bundle.ts";
import { securityHeaders } from "../../src/portal/security-headers.ts";

const { page, assets } = await portalFiles();
const html = new TextDecoder().decode(page.body.bytes);

function linked(rel: string) {
  const [, href = ""] = new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(html) ?? [];
  const file = assets.get(href.slice(assetsPath.length));
  if (file === undefined) throw new Error(`no file for ${rel}: ${href}`);
  return file;
}

/** Width and height, as the file itself says. */
function pngSize(bytes: Uint8Array): readonly number[] {
  expect([...bytes.subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

test("a phone can put the portal on its home screen: all that Chromium asks of a manifest", () => {
  const { contentType, body } = linked("manifest");
  expect(contentType).toBe("application/manifest+json");
  const manifest = JSON.parse(new TextDecoder().decode(body.bytes));
  expect(manifest).toMatchObject({ name: "Odograph", short_name: "Odograph", display: "standalone" });
  // An address outside of the scope would open in the browser, with its bar.
  for (const address of [manifest.start_url, manifest.id]) expect(address).toStartWith(manifest.scope);
  expect(manifest.prefer_related_applications).toBeUndefined();
  const icons = manifest.icons as { src: string; sizes: string; type: string; purpose: string }[];
  const sizesOf = (wanted: string) => icons.filter(({ purpose }) => purpose === wanted).map(({ sizes }) => sizes);
  expect(sizesOf("any")).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  expect(sizesOf("maskable")).toEqual(["512x512"]);
  for (const { src, sizes, type } of icons) {
    const file = assets.get(src.slice(assetsPath.length));
    expect([src, file?.contentType, type]).toEqual([src, "image/png", "image/png"]);
    expect(pngSize(file?.body.bytes ?? new Uint8Array()).join("x")).toBe(sizes);
  }
});

test("an iPhone gets its icon, and the page may load the manifest", () => {
  expect(pngSize(linked("apple-touch-icon").body.bytes)).toEqual([180, 180]);
  expect(securityHeaders({ light: null, dark: null })["Content-Security-Policy"]).toContain("manifest-src 'self'");
});
