export interface UrlParts {
  /** As the client sent it, in lower case, without the default port; empty if missing or invalid. */
  readonly host: string;
  /** As it was sent: neither decoded nor checked. */
  readonly path: string;
  readonly query: string;
}

/**
 * The parts of a request's URL, whatever was sent: unlike `new URL` it never throws. Without a usable `Host` (HTTP/1.0,
 * an empty one, `a b`) the runtime passes the target alone; with one like `1.2.3.4:99999` or `[::`, an invalid URL.
 */
export function urlParts(url: string): UrlParts {
  const { path, query } = pathAndQuery(url);
  const hostStart = url.startsWith("/") ? -1 : url.indexOf("//");
  const host = hostStart < 0 ? "" : url.slice(hostStart + 2, pathStartIn(url)).toLowerCase();
  return { host: host.replace(url.startsWith("https:") ? /:443$/ : /:80$/, ""), path, query };
}

/** The same without the host, which few need. */
export function pathAndQuery(url: string): Pick<UrlParts, "path" | "query"> {
  const pathStart = pathStartIn(url);
  const queryStart = url.indexOf("?", pathStart);
  // No request needs a fragment, and no browser sends one; a fragment belongs to neither part.
  const fragmentStart = url.indexOf("#", pathStart);
  const end = fragmentStart < 0 ? url.length : fragmentStart;
  if (queryStart < 0 || queryStart > end) return { path: url.slice(pathStart, end), query: "" };
  return { path: url.slice(pathStart, queryStart), query: url.slice(queryStart + 1, end) };
}

/** The target of a CONNECT (`host:80`) has neither host nor path for us: all of it is a path that nobody serves. */
function pathStartIn(url: string): number {
  if (url.startsWith("/")) return 0;
  const hostStart = url.indexOf("//");
  const pathStart = hostStart < 0 ? 0 : url.indexOf("/", hostStart + 2);
  return pathStart < 0 ? url.length : pathStart;
}

/** A leading `?` is dropped, as `URLSearchParams` does. */
const isEscaped = /^\?|[%+]/;

/**
 * Each parameter of a query or a form, in order, as `URLSearchParams` reads them. A query without escapes is read here: that takes a
 * fifth of the time, and single frames come as queries.
 */
export function eachParameter(text: string, take: (name: string, value: string) => void): void {
  if (isEscaped.test(text)) {
    for (const [name, value] of new URLSearchParams(text)) take(name, value);
    return;
  }
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("&", start);
    const end = next < 0 ? text.length : next;
    const equals = text.indexOf("=", start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (end > start) take(text.slice(start, nameEnd), text.slice(nameEnd + 1, end));
    start = end + 1;
  }
}
