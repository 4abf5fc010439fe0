/**
 * An address without what it may be used with: the password, and for web addresses everything that may be a key, which is a
 * name without a password, the query and the fragment, whatever is in them. Works on malformed addresses, too.
 */
export function maskedAddress(text: string): string {
  const masked = text.replace(/(:\/\/[^:]*:).*@/s, "$1***@").replace(/([?&]\w*password=)[^&#]*/gi, "$1***");
  if (!/^https?:/i.test(text)) return masked;
  return masked
    .replace(/(:\/\/)[^/?#:@]*@/, "$1***@")
    .replace(/\?[^#]+/, "?***")
    .replace(/#.+/s, "#***");
}
