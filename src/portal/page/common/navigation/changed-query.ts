export function changed(
  present: URLSearchParams,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): URLSearchParams {
  const next = new URLSearchParams(present);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of typeof value === "string" ? [value] : (value ?? [])) next.append(name, each);
  }
  return next;
}
