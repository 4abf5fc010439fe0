import { chooseEncoding, encodeReady } from "./encoding.ts";
import { encodedTag, matchingTag } from "./etag.ts";
import { isReadyBody } from "./ready-body.ts";

/** The tag of a 304 if the client already has this body, otherwise null. Only a ready body has a tag. */
export function unchangedTag(headers: Headers, body: object | string): string | null {
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch === null || !isReadyBody(body) || body.etag === null) return null;
  const { etag } = body;
  return matchingTag(ifNoneMatch, etag, () => {
    const encoding = chooseEncoding(headers.get("accept-encoding"));
    return encodeReady(body, encoding) ? encodedTag(etag, encoding) : etag;
  });
}
