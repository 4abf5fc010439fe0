import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Null: a text that may be left out. A list: an option that may be given several times. */
type Defaults = Readonly<Record<string, number | string | boolean | readonly string[] | null>>;
type OptionsOf<Given> = {
  readonly [Name in keyof Given]: Given[Name] extends number
    ? number
    : Given[Name] extends boolean
      ? boolean
      : Given[Name] extends readonly string[]
        ? string[]
        : Given[Name] extends null
          ? string | undefined
          : string;
};

/** What a program was called with. `--help` prints the comment at the top of its file, and ends it. */
export function readOptions<const Given extends Defaults>(program: string, defaults: Given): OptionsOf<Given> {
  const options = Object.fromEntries(
    Object.entries({ ...defaults, help: false }).map(([name, value]) => [
      name,
      { type: typeof value === "boolean" ? "boolean" : "string", multiple: Array.isArray(value) } as const,
    ]),
  );
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(commentOf(program));
    process.exit(0);
  }
  const read = Object.entries(defaults).map(([name, fallback]) => {
    const given = values[name];
    if (given === undefined) return [name, fallback ?? undefined];
    if (typeof fallback !== "number") return [name, given];
    if (!Number.isFinite(Number(given))) throw new Error(`--${name} must be a number, not ${given}`);
    return [name, Number(given)];
  });
  return Object.fromEntries(read);
}

function commentOf(program: string): string {
  const comment = /\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(fileURLToPath(program), "utf8"))?.[1] ?? "";
  return comment.replaceAll(/^ \* ?/gm, "");
}

/** Ends a program that cannot run here, and says so, where a tool is missing. */
export function needTools(...tools: readonly string[]): void {
  const missing = tools.find((tool) => Bun.which(tool) === null);
  if (missing === undefined) return;
  console.log(`not run: ${missing} is not installed`);
  process.exit(0);
}
