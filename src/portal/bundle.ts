import { fileURLToPath } from "node:url";
import type { Encoding } from "../http/encoding.ts";
import { etagOf, type TaggedBody } from "../http/ready-body.ts";
import { type BuiltFile, embeddedFiles } from "./embedded-files.ts";
import { worldMapPlugin } from "./world/world-map.ts";

/** Where the browser finds what the page loads. A name holds the hash of its content, so it may be kept for ever. */
export const assetsPath = "/portal/assets/";

export interface PortalFile {
  readonly name: string;
  readonly contentType: string;
  readonly body: TaggedBody;
}

export interface PortalFiles {
  /** The one page; which view it shows is decided by the script from the address. */
  readonly page: PortalFile;
  readonly assets: ReadonlyMap<string, PortalFile>;
}

const pageName = "index.html";
const entry = fileURLToPath(new URL("./page/index.html", import.meta.url));

/** Read often, so worth more effort than an answer for one reader; but others wait meanwhile (30 ms for the map). */
const gzipLevel = 6;
const zstdLevel = 6;

/** Below this the headers weigh more than what is saved. */
const leastBytes = 1024;

let made: Promise<PortalFiles> | null = null;

/**
 * The page and what it loads, made at the first call (about 150 ms) and kept. Whoever wants the first visitor not to
 * wait calls it when the server starts.
 */
export function portalFiles(): Promise<PortalFiles> {
  made ??= makeFiles().catch((cause) => {
    made = null;
    throw cause;
  });
  return made;
}

/** The file in that encoding, compressed when first asked for, or null if it does not pay. */
export function packed({ body }: PortalFile, encoding: Encoding): Uint8Array<ArrayBuffer> | null {
  if (encoding === null || body.bytes.byteLength < leastBytes) return null;
  const kept = body.compressed.get(encoding);
  if (kept) return kept;
  const made =
    encoding === "zstd"
      ? Bun.zstdCompressSync(body.bytes, { level: zstdLevel })
      : Bun.gzipSync(body.bytes, { level: gzipLevel });
  body.compressed.set(encoding, made as Uint8Array<ArrayBuffer>);
  return made as Uint8Array<ArrayBuffer>;
}

async function makeFiles(): Promise<PortalFiles> {
  const built = (await embeddedFiles()) ?? (await buildPortal());
  const files = built.map(({ name, contentType, bytes }): [string, PortalFile] => [
    name,
    { name, contentType, body: { bytes, etag: etagOf(bytes), compressed: new Map() } },
  ]);
  const assets = new Map(files);
  const page = assets.get(pageName);
  if (!page) throw new Error("the portal was built without its page");
  assets.delete(pageName);
  return { page, assets };
}

/** How the page is bundled. The map and the plot are chunks of their own, loaded where they are shown. */
export const portalBuild: Bun.BuildConfig = {
  entrypoints: [entry],
  target: "browser",
  splitting: true,
  minify: true,
  publicPath: assetsPath,
  naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [worldMapPlugin],
};

export async function buildPortal(): Promise<BuiltFile[]> {
  const { outputs } = await Bun.build(portalBuild);
  return Promise.all(
    outputs.map(async (output) => ({
      name: output.path.replace(/^\.\//, ""),
      contentType: output.type.replace(";charset", "; charset"),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
