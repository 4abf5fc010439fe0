import { chooseEncoding, encodeReady } from "../http/encoding.ts";
import { encodedTag, matchingTag } from "../http/etag.ts";
import type { Answer } from "./route.ts";

/** The tag for the 304 if the client has this body already, else null. Only answers of conditional routes carry one. */
export function unchangedTag(headers: Headers, { body }: Answer): string | null {
  if (typeof body === "string" || !("etag" in body) || body.etag === null) return null;
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch === null) return null;
  const { etag } = body;
  return matchingTag(ifNoneMatch, etag, () => {
    const encoding = chooseEncoding(headers.get("accept-encoding"));
    return encodeReady(body, encoding) ? encodedTag(etag, encoding) : etag;
  });
}
