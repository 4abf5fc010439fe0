/** Of http://host/path?query, or of only the path, if the client names no host (HTTP/1.0) or one that is none. */
export function pathAndQuery(url: string): { readonly path: string; readonly query: string } {
  const pathStart = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const queryStart = url.indexOf("?", pathStart);
  return {
    path: url.slice(pathStart, queryStart < 0 ? undefined : queryStart),
    query: queryStart < 0 ? "" : url.slice(queryStart + 1),
  };
}
