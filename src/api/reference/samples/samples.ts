import { completed, type SampleCall, type SampleTask, type SampleValues, taskOf } from "./call.ts";
import { goSample } from "./go.ts";
import { pythonSample } from "./python.ts";
import { typescriptSample } from "./typescript.ts";

/** In the order in which they are offered. */
export const sampleLanguages = ["curl", "TypeScript", "Python", "Go"] as const;

export type SampleLanguage = (typeof sampleLanguages)[number];

const writers: Readonly<Record<SampleLanguage, (task: SampleTask) => string>> = {
  curl: curlSample,
  TypeScript: typescriptSample,
  Python: pythonSample,
  Go: goSample,
};

/** A whole program, or command, that makes the call. It finds address and key in the variables BASE and KEY. */
export function sampleOf(language: SampleLanguage, call: SampleCall, entered: SampleValues): string {
  return writers[language](taskOf(call, completed(call, entered))).trimEnd();
}

/** One parameter a line, which curl joins to the address. */
function curlSample({ call, path, query }: SampleTask): string {
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
