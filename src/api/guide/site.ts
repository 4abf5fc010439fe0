import { guideFilePlace, guidePath, guidePlace, linkTo } from "./addresses.ts";
import { type Documents, documentsAt, fileType, groupsOf, readDocuments, target, titleOf } from "./documents.ts";
import { documentPartsOf, isElsewhere, linksOf, renderMarkdown } from "./markdown.ts";
import { type GuideContents, renderPage } from "./page.ts";
import { type GuideEntry, guideEntries } from "./search.ts";

export interface GuideSite extends GuideContents {
  readonly documents: Documents;
  /** Documents by their place under `/docs/guide`. */
  readonly documentAt: ReadonlyMap<string, string>;
  /** The pictures that documents show, and the files that they hand out, by their place under `/docs/guide`. */
  readonly fileAt: ReadonlyMap<string, string>;
  readonly entries: () => readonly GuideEntry[];
}

let site: Promise<GuideSite> | null = null;

/** Read at the first request: a server whose guide is not read does not hold it in memory. */
export function guideSite(): Promise<GuideSite> {
  site ??= readDocuments().then(makeSite);
  return site;
}

export function makeSite(documents: Documents): GuideSite {
  let entries: readonly GuideEntry[] | null = null;
  return {
    documents,
    documentAt: new Map([...documents.keys()].map((path) => [guidePlace(path), path])),
    fileAt: new Map(filesOf(documents).map((path) => [guideFilePlace(path), path])),
    groups: groupsOf(documents).map(({ name, documents: paths }) => ({
      name,
      pages: paths.filter((path) => documents.has(path)).map((path) => ({ path, title: titleOf(documents, path) })),
    })),
    entries: () => {
      entries ??= guideEntries(documents);
      return entries;
    },
  };
}

export function filesOf(documents: Documents): string[] {
  const linked = [...documents].flatMap(([path, text]) => linksOf(text).map((link) => target(path, link).path));
  return [...new Set(linked.filter((path) => fileType(path) !== undefined))];
}

export function renderDocument({ documents, groups, fileAt }: GuideSite, path: string): string {
  const markdown = documents.get(path) ?? "";
  const place = guidePlace(path);
  const address = place === "" ? guidePath : `${guidePath}/${place}`;
  const toImage = (link: string) => linkToFile(fileAt, address, target(path, link).path);
  const toPage = linksFrom({ documents, fileAt }, path, address, (document, anchor) =>
    linkTo(address, guidePlace(document), anchor),
  );
  const body = renderMarkdown(markdown, { toPage, toImage });
  const title = titleOf(documents, path);
  return renderPage({ groups }, { address, title, path, body, parts: documentPartsOf(markdown) });
}

/** Where a link of a document leads in the guide, seen from `address`. Null: to a source, which is not part of the guide. */
export function linksFrom(
  { documents, fileAt }: Pick<GuideSite, "documents" | "fileAt">,
  path: string,
  address: string,
  toDocument: (path: string, anchor: string) => string,
): (link: string) => string | null {
  return (link) => {
    if (isElsewhere(link) || link.startsWith("#")) return link;
    const { path: linked, anchor } = target(path, link);
    const document = documentsAt(linked).find((candidate) => documents.has(candidate));
    return document === undefined ? linkToFile(fileAt, address, linked) : toDocument(document, anchor);
  };
}

function linkToFile(fileAt: GuideSite["fileAt"], address: string, path: string): string | null {
  const file = guideFilePlace(path);
  return fileAt.has(file) ? linkTo(address, file) : null;
}
