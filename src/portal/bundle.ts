import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ReadyBody, taggedBody } from "../http/ready-body.ts";
import { homeScreen } from "./home-screen.ts";
import { worldMapPlugin } from "./world/world-map.ts";

/** Where the browser finds what the page loads. A name holds the hash of its content, so the file may be cached for ever. */
export const assetsPath = "/portal/assets/";

export interface PortalFile {
  readonly name: string;
  readonly contentType: string;
  readonly body: ReadyBody;
}

export interface PortalFiles {
  /** The one page; its script chooses the view by the address. */
  readonly page: PortalFile;
  readonly assets: ReadonlyMap<string, PortalFile>;
}

const pageName = "index.html";
const entry = fileURLToPath(new URL("./page/index.html", import.meta.url));

/** Higher than for an answer, because files are compressed once; not higher, because requests wait meanwhile. */
const compressionLevel = 6;

let made: Promise<PortalFiles> | null = null;

/** The page and what it loads, built for the first visitor (0.2 to 0.4 s) and cached. */
export function portalFiles(): Promise<PortalFiles> {
  made ??= makeFiles().catch((cause) => {
    made = null;
    throw cause;
  });
  return made;
}

async function makeFiles(): Promise<PortalFiles> {
  const built = (await embeddedFiles()) ?? (await buildPortal());
  const files = built.map(({ name, contentType, bytes }): [string, PortalFile] => [
    name,
    { name, contentType, body: taggedBody(bytes, compressionLevel) },
  ]);
  const assets = new Map(files);
  const page = assets.get(pageName);
  if (!page) throw new Error("the portal was built without its page");
  assets.delete(pageName);
  return { page, assets };
}

/** How the page is bundled. The map and the plot are separate chunks, loaded where they are shown. */
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
  const [{ outputs }, { files, head }] = await Promise.all([Bun.build(portalBuild), homeScreen(assetsPath)]);
  const built = await Promise.all(
    outputs.map(async (output) => ({
      name: output.path.replace(/^\.\//, ""),
      contentType: output.type.replace(";charset", "; charset"),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
  const withHead = ({ bytes, ...file }: BuiltFile): BuiltFile => {
    const html = new TextDecoder().decode(bytes).replace("</head>", () => `${head}</head>`);
    return { ...file, bytes: new TextEncoder().encode(html) };
  };
  return [...built.map((file) => (file.name === pageName ? withHead(file) : file)), ...files];
}

/** A file as it comes from the bundler, or from inside the program. */
export interface BuiltFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The folder that scripts/one-file.ts puts into the program, and the list of what it holds. */
export const embeddedFolder = "portal-files";
export const manifestName = "manifest.json";

/** The files inside a compiled program; null if the page has to be bundled from its sources. */
async function embeddedFiles(): Promise<BuiltFile[] | null> {
  if (!Bun.isStandaloneExecutable) return null;
  const folder = join(import.meta.dir, embeddedFolder);
  const contentTypes: Record<string, string> = await Bun.file(join(folder, manifestName)).json();
  return Promise.all(
    Object.entries(contentTypes).map(async ([name, contentType]) => ({
      name,
      contentType,
      bytes: await Bun.file(join(folder, name)).bytes(),
    })),
  );
}
