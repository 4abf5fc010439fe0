import type { Encoding } from "./encoding.ts";

/** How the tag of a compressed body ends, in the place of the quotation mark. */
const endings: Readonly<Record<Exclude<Encoding, null>, string>> = { zstd: '-zstd"', gzip: '-gzip"' };
const endingLength = endings.zstd.length;

/** The tag of the same body in that encoding. Compressed, the bytes differ, and so must a strong tag. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return encoding === null ? etag : etag.slice(0, -1) + endings[encoding];
}

/**
 * The tag that If-None-Match names of this body, in whichever encoding; null if it names none. A 304 carries it, so that a
 * cache brings up to date the answer that it has stored under that tag. Lists, `*` and weak tags are understood; weak ones
 * are compared without their mark. Where several match, it is the tag of the answer that would be sent now.
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

/** Every poll of a client that takes compressed answers comes here, so that nothing is made but what must be. */
function isEncodedForm(tag: string, etag: string): boolean {
  if (tag.length !== etag.length + endingLength - 1) return false;
  if (!tag.endsWith(endings.gzip) && !tag.endsWith(endings.zstd)) return false;
  return tag.startsWith(etag.slice(0, -1));
}
