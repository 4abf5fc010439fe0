import { chooseEncoding, encodeReady } from "./encoding.ts";
import { encodedTag, matchingTag } from "./etag.ts";
import { isReadyBody } from "./ready-body.ts";

/**
 * Decides on a 304, for the API and the portal: its tag if the client already has this body, otherwise null. Only a
 * ready body has a tag. (src/api/poll-fast-path.ts needs less, and compares tags the same way.)
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
