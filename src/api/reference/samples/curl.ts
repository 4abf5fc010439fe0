import type { Task } from "./call.ts";

/** One parameter a line, which curl joins to the address. */
export function curlSample({ call, path, query }: Task): string {
  const key = call.needsKey ? ' -H "X-API-Key: $KEY"' : "";
  const address = `"$BASE${path}"`;
  if (query.length === 0) return `curl${key} ${address}`;
  const options = query.map(({ parameter, value }) => dataOption(parameter.name, value));
  return [`curl -G${key} ${address}`, ...options].join(" \\\n  ");
}

/** A plain value as it is; another one is encoded by curl and quoted for the shell. */
function dataOption(name: string, value: string): string {
  if (/^[\w.,:-]+$/.test(value)) return `-d ${name}=${value}`;
  return `--data-urlencode '${name}=${value.toWellFormed().replaceAll("'", "'\\''")}'`;
}
