import { dirname, join, normalize } from "node:path";
import { documentPartsOf, linksOf } from "./markdown.ts";

/** The folder that scripts/one-file.ts puts into the program. */
export const guideFolder = "guide-files";

/** The list of contents, and the page on which the guide opens. */
export const contentsPath = "docs/README.md";

export type Documents = ReadonlyMap<string, string>;

/** Every document that the contents lead to, however indirectly. What cannot be read is left out. */
export async function readDocuments(read: (path: string) => Promise<string | null> = readText): Promise<Documents> {
  const documents = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    if (documents.has(path)) return;
    // Its place is taken before it is read, so that it is not read twice.
    documents.set(path, "");
    const text = await read(path);
    if (text === null) documents.delete(path);
    else documents.set(path, text);
    if (text !== null)
      for (const link of linksOf(text)) await Promise.all(documentsAt(target(path, link).path).map(visit));
  };
  await visit(contentsPath);
  return documents;
}

/** Where a link of a document leads, in the repository. */
export function target(from: string, link: string): { path: string; anchor: string } {
  const [path = "", anchor = ""] = link.split("#");
  return { path: path === "" ? from : normalize(join(dirname(from), path)).replace(/\/$/, ""), anchor };
}

/** A link to a folder is one to its README. What only a clone has, bench/, is not part of the guide, which is the same everywhere. */
export function documentsAt(path: string): string[] {
  if (/^(?:\.\.|bench)(?:\/|$)/.test(path)) return [];
  return path.endsWith(".md") ? [path] : path.includes(".") || path === "LICENSE" ? [] : [`${path}/README.md`];
}

export interface DocumentGroup {
  readonly name: string;
  readonly documents: readonly string[];
}

/** The groups of the guide, as the list of contents has them: a heading, and links below it. */
export function groupsOf(documents: Documents): DocumentGroup[] {
  const sections = (documents.get(contentsPath) ?? "").split(/^## /m).slice(1);
  return sections.map((section) => {
    const linked = linksOf(section).flatMap((link) => documentsAt(target(contentsPath, link).path));
    return { name: documentPartsOf(`## ${section}`)[0]?.heading ?? "", documents: [...new Set(linked)] };
  });
}

export function titleOf(documents: Documents, path: string): string {
  return documentPartsOf(documents.get(path) ?? "")[0]?.heading ?? path;
}

const imageTypes: Readonly<Record<string, string>> = { png: "image/png", svg: "image/svg+xml" };

/** The media type of a picture, or of a file that readers copy; undefined for everything else, such as sources. */
export function fileType(path: string): string | undefined {
  if (path.startsWith("docs/images/")) return imageTypes[path.slice(path.lastIndexOf(".") + 1)];
  return /^(?:deploy|examples)\/.*(?<!\.md)$/.test(path) ? "text/plain" : undefined;
}

/** A file of the guide: from inside a compiled program, otherwise from beside the sources. */
export async function readGuideFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const root = Bun.isStandaloneExecutable ? join(import.meta.dir, guideFolder) : join(import.meta.dir, "../../..");
  return Bun.file(join(root, path))
    .bytes()
    .catch(() => null);
}

async function readText(path: string): Promise<string | null> {
  const bytes = await readGuideFile(path);
  return bytes && new TextDecoder().decode(bytes);
}
