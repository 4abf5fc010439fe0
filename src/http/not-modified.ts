import { chooseEncoding, encodeReady } from "./encoding.ts";
import { encodedTag, matchingTag } from "./etag.ts";
import { isReadyBody } from "./ready-body.ts";

/**
 * Where a 304 is decided, for the API and for the portal: the tag for it if the client has this body already, else null.
 * Only a body that was made before carries a tag. (src/api/poll-fast-path.ts asks for less, and compares tags alike.)
 */
export function unchangedTag(headers: Headers, body: object | string): string | null {
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch === null || !isReadyBody(body) || body.etag === null) return null;
  const { etag } = body;
  return matchingTag(ifNoneMatch, etag, () => {
    const encoding = chooseEncoding(headers.get("accept-encoding"));
    return encodeReady(body, encoding) ? encodedTag(etag, encoding) : etag;
  });
}
