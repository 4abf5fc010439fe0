import { filePlaceOf, guidePath, linkTo, placeOf } from "./addresses.ts";
import { type Documents, documentsAt, fileType, groupsOf, readDocuments, target, titleOf } from "./documents.ts";
import { isElsewhere, linksOf, partsOf, renderMarkdown } from "./markdown.ts";
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
    documentAt: new Map([...documents.keys()].map((path) => [placeOf(path), path])),
    fileAt: new Map(filesOf(documents).map((path) => [filePlaceOf(path), path])),
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
  const place = placeOf(path);
  const address = place === "" ? guidePath : `${guidePath}/${place}`;
  const toFile = (link: string) => {
    const file = filePlaceOf(target(path, link).path);
    return fileAt.has(file) ? linkTo(address, file) : null;
  };
  const toPage = (link: string) => {
    if (isElsewhere(link) || link.startsWith("#")) return link;
    const { path: linked, anchor } = target(path, link);
    const document = documentsAt(linked).find((candidate) => documents.has(candidate));
    // Sources are not part of the guide.
    return document === undefined ? toFile(link) : linkTo(address, placeOf(document), anchor);
  };
  const body = renderMarkdown(markdown, { toPage, toImage: toFile });
  const title = titleOf(documents, path);
  return renderPage({ groups }, { address, title, path, body, parts: partsOf(markdown) });
}
