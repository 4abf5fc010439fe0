/**
 * Whether a path that somebody else may have chosen stays below ours when it is put behind it, as a browser reads it:
 * without steps upwards, also encoded ones, and without a second slash that could begin another host.
 */
export function staysBelow(base: string, path: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(path)) return false;
  const { pathname } = new URL(base + path, "http://any.test");
  return pathname.startsWith(`${base}/`) && !pathname.includes("//");
}
