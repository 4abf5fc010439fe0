import { chooseEncoding, type Encoding, encodeReady } from "./encoding.ts";
import { isReadyBody } from "./ready-body.ts";

/** How the tag of a compressed body ends, instead of the quotation mark. */
const endings: Readonly<Record<Exclude<Encoding, null>, string>> = { zstd: '-zstd"', gzip: '-gzip"' };
const endingLength = endings.zstd.length;

/** The tag of the same body in that encoding. Compressed bytes differ, so a strong tag must differ, too. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return encoding === null ? etag : etag.slice(0, -1) + endings[encoding];
}

/**
 * The tag in If-None-Match that matches this body, in any encoding; null if none does. A 304 carries it, so that a
 * cache updates the answer that it has stored under that tag. Lists, `*` and weak tags are understood; weak ones are
 * compared without their mark. If several match, it is the tag of the answer that would be sent now.
 */
export function matchingTag(ifNoneMatch: string, etag: string, tagNow: () => string): string | null {
  if (ifNoneMatch === etag || isEncodedForm(ifNoneMatch, etag)) return ifNoneMatch;
  if (ifNoneMatch.trim() === "*") return tagNow();
  const matching = ifNoneMatch
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .filter((tag) => tag === etag || isEncodedForm(tag, etag));
  if (matching.length < 2) return matching[0] ?? null;
  const now = tagNow();
  return matching.includes(now) ? now : (matching[0] ?? null);
}

/** Every poll of a client that accepts compression passes here, so it makes as little as possible. */
function isEncodedForm(tag: string, etag: string): boolean {
  if (tag.length !== etag.length + endingLength - 1) return false;
  if (!tag.endsWith(endings.gzip) && !tag.endsWith(endings.zstd)) return false;
  return tag.startsWith(etag.slice(0, -1));
}

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
