import { contentsPath, type Documents, documentsAt, target } from "./documents.ts";
import { linksOf, partsOf } from "./markdown.ts";

export interface Group {
  readonly name: string;
  /** Paths of documents. */
  readonly documents: readonly string[];
}

/** The groups of the guide, as the list of contents has them: a heading, and links below it. */
export function groupsOf(documents: Documents): Group[] {
  const sections = (documents.get(contentsPath) ?? "").split(/^## /m).slice(1);
  return sections.map((section) => {
    const linked = linksOf(section).flatMap((link) => documentsAt(target(contentsPath, link).path));
    return { name: partsOf(`## ${section}`)[0]?.heading ?? "", documents: [...new Set(linked)] };
  });
}

/** What a document calls itself. */
export function titleOf(documents: Documents, path: string): string {
  return partsOf(documents.get(path) ?? "")[0]?.heading ?? path;
}
