import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { programVersion } from "../version.ts";
import { type PackedFile, tarGz, zip } from "./archives.ts";

const root = join(import.meta.dir, "../../..");
const encoder = new TextEncoder();

/** The TypeScript client as npm installs it: JavaScript, its types, and no script that would run on installing. */
export async function buildTypescriptClient(): Promise<Uint8Array<ArrayBuffer>> {
  const { scripts: _, ...manifest } = JSON.parse(await textOf("client/package.json"));
  const sources = await sourceNames("client/src");
  const files = sources.map(async (name): Promise<PackedFile[]> => {
    const source = await textOf(`client/src/${name}`);
    const base = `dist/${name.replace(/\.ts$/, "")}`;
    // Files of types alone are their own declarations; of others, scripts/client-declarations.ts has made them.
    const isTypes = name.startsWith("types/");
    const declaration = isTypes ? source : await textOf(`client/declarations/${name.replace(/\.ts$/, ".d.ts")}`);
    return [packed(`${base}.js`, javascriptOf(source)), packed(`${base}.d.ts`, declaration)];
  });
  const texts = ["README.md", "LICENSE"].map(async (name) => packed(name, await textOf(`client/${name}`)));
  const all = [...(await Promise.all(files)).flat(), ...(await Promise.all(texts))];
  all.push(packed("package.json", `${JSON.stringify(manifest, null, 2)}\n`));
  return tarGz(sorted(all).map(({ name, bytes }) => ({ name: `package/${name}`, bytes })));
}

const transpiler = new Bun.Transpiler({ loader: "ts", target: "node" });

function javascriptOf(source: string): string {
  return transpiler.transformSync(source).replace(/(from\s*"\.[^"]*)\.ts"/g, '$1.js"');
}

/** The Python client as pip installs it (PEP 427). */
export async function buildPythonClient(): Promise<Uint8Array<ArrayBuffer>> {
  const own = await sourceNames("client-python/odograph_client");
  const modules = own.map(async (name) => {
    const path = `odograph_client/${name}`;
    return packed(path, await textOf(`client-python/${path}`));
  });
  const info = `odograph_client-${programVersion}.dist-info`;
  const project = await textOf("client-python/pyproject.toml");
  const settingOf = (key: string) => new RegExp(`^${key} = "(.*)"$`, "m").exec(project)?.[1] ?? "";
  const metadata = [
    "Metadata-Version: 2.1",
    "Name: odograph-client",
    `Version: ${programVersion}`,
    `Summary: ${settingOf("description")}`,
    "License: Apache-2.0",
    `Requires-Python: ${settingOf("requires-python")}`,
    "Description-Content-Type: text/markdown",
    "License-File: LICENSE",
    "",
    await textOf("client-python/README.md"),
  ].join("\n");
  const files = [
    ...sorted(await Promise.all(modules)),
    packed(`${info}/LICENSE`, await textOf("client-python/LICENSE")),
    packed(`${info}/METADATA`, metadata),
    packed(`${info}/WHEEL`, "Wheel-Version: 1.0\nGenerator: odograph\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    packed(`${info}/top_level.txt`, "odograph_client\n"),
  ];
  const lines = files.map(({ name, bytes }) => `${name},sha256=${digestOf(bytes)},${bytes.length}`);
  return zip([...files, packed(`${info}/RECORD`, `${[...lines, `${info}/RECORD,,`].join("\n")}\n`)]);
}

function digestOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
}

/** The files in a folder of the sources, and below it. */
async function sourceNames(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(?:ts|py|typed)$/.test(entry.name));
  const start = join(root, folder).length + 1;
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(start).replaceAll("\\", "/"));
}

function textOf(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

function packed(name: string, text: string): PackedFile {
  return { name, bytes: encoder.encode(text) };
}

function sorted(files: readonly PackedFile[]): PackedFile[] {
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
