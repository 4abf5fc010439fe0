/** Whether a path that others chose stays below ours for a browser: no steps upwards, no second slash (another host). */
export function staysBelow(base: string, path: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(path)) return false;
  const { pathname } = new URL(base + path, "http://any.test");
  return pathname.startsWith(`${base}/`) && !pathname.includes("//");
}
