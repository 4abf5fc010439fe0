import type { FormatName } from "./format.ts";

/**
 * The header `Link` to the next page. Its address is relative to that of the request (RFC 3986): what stands in front of it,
 * such as the host and a proxy's prefix, is the client's to know. The cursor carries window, filters and limit; only a format
 * that the request named must be named again. A cursor is read up to 4,096 characters, so the header is not much longer.
 */
export function nextLink(
  path: string,
  pathValues: readonly string[],
  cursor: string,
  format: FormatName | null,
): string {
  const pattern = path.slice(path.lastIndexOf("/") + 1);
  // A path's last variable is the last of its values.
  const segment = pattern.startsWith("{") ? encodeURIComponent(pathValues.at(-1) ?? "") : pattern;
  const query = `${format === null ? "" : `format=${format}&`}cursor=${encodeURIComponent(cursor)}`;
  return `<${segment}?${query}>; rel="next"`;
}
