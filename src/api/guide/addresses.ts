export const guidePath = "/docs/guide";

/**
 * The place of a document under `/docs/guide`: `docs/operations.md` is `operations`, `docs/decisions/README.md` is
 * `decisions`, and the list of contents has none of its own.
 */
export function guidePlace(path: string): string {
  if (path === "README.md") return "readme";
  return path
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$|\.md$/, "")
    .toLowerCase();
}

/** The place of a picture, or of a file that readers copy. It keeps its name. */
export function guideFilePlace(path: string): string {
  return path.replace(/^docs\//, "");
}

/** The way from an address of the guide up to the server's root: the server may be under a path of its own. */
export function wayToRoot(address: string): string {
  return "../".repeat(address.split("/").length - 2);
}

/** The address of a place, as a link of the page at `from`. */
export function linkTo(from: string, place: string, anchor = ""): string {
  const address = place === "" ? guidePath : `${guidePath}/${place}`;
  return `${wayToRoot(from)}${address.slice(1)}${anchor && `#${anchor}`}`;
}
