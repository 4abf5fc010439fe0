import { argumentsOf, type Call, pathOf, type Values } from "./call.ts";

/** One parameter a line, which curl joins to the address. */
export function curlSample(call: Call, values: Values): string {
  const key = call.needsKey ? ' -H "X-API-Key: $KEY"' : "";
  const address = `"$BASE${pathOf(call, values)}"`;
  const query = argumentsOf(call, values, "query").map(({ parameter, value }) => dataOption(parameter.name, value));
  if (query.length === 0) return `curl${key} ${address}`;
  return [`curl -G${key} ${address}`, ...query].join(" \\\n  ");
}

/** A plain value as it is; another one is encoded by curl and quoted for the shell. */
function dataOption(name: string, value: string): string {
  if (/^[\w.,:-]+$/.test(value)) return `-d ${name}=${value}`;
  return `--data-urlencode '${name}=${value.toWellFormed().replaceAll("'", "'\\''")}'`;
}
