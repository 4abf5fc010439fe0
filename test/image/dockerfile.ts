import { fileURLToPath } from "node:url";

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, each on one line, without comments. */
export function instructionsIn(text: string): Instruction[] {
  const joined = text.replace(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
  return [...joined.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = "", rest = ""]) => ({ name, text: rest }));
}

const instructions = instructionsIn(await Bun.file(fileOf("Dockerfile")).text());

/** What all instructions of a kind say, in their order. */
export function all(name: string): string[] {
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** What the last one of a kind says, which is the one that counts. */
export function last(name: string): string {
  return all(name).at(-1) ?? "";
}

/** The words of `["odograph", "serve"]`, wherever they stand. */
export function wordsIn(text: string): string[] {
  return JSON.parse(/\[.*\]$/.exec(text)?.[0] ?? "[]");
}

export const environment: ReadonlyMap<string, string> = new Map(
  [
    ...all("ENV")
      .join(" ")
      .matchAll(/(\w+)=(\S+)/g),
  ].map(([, name = "", value = ""]) => [name, value]),
);

/** Whether .dockerignore leaves a file out: by a name on its path, or `**` and the end of one. */
export function isLeftOut(ignored: readonly string[], path: string): boolean {
  const folders = path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  return ignored.some((pattern) => folders.some((folder) => new Bun.Glob(pattern).match(folder)));
}

export const leftOut: readonly string[] = (await Bun.file(fileOf(".dockerignore")).text())
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
