import { parseArgs } from "node:util";
import { credentialPrefixes } from "../../access/credential.ts";
import { Failure } from "../../domain/errors.ts";
import { isImei, isUuid } from "../../domain/text/identifiers.ts";
import { parseInstant } from "../../domain/time/time.ts";
import { settingsTable } from "../settings/settings-table.ts";
import type { Action, Command, CommandCall } from "./command.ts";

/** Reads the words after an action's name. Unknown options and arguments are refused. */
export function readCall(
  command: Command,
  action: Action,
  words: readonly string[],
): Pick<CommandCall, "arguments" | "options"> {
  const seeHelp = `see \`odograph help ${command.name}\``;
  const flags = [...action.settings, "data" as const].map((name) => settingsTable[name].flag ?? "");
  const definitions = Object.fromEntries([
    ...flags.map((flag) => [flag, { type: "string" as const }]),
    ...action.options.map(({ name, placeholder }) => [name, { type: placeholder ? "string" : "boolean" } as const]),
    ["help", { type: "boolean" as const }],
  ]);
  const { values, positionals } = parsed([...words], definitions, seeHelp);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") throw new Failure("WRONG_CALL", `--${name} needs a value`);
  }
  if (values.help !== true) requireAll(action, positionals, values, seeHelp);
  return { arguments: positionals, options: values };
}

function parsed(words: string[], options: Record<string, { type: "string" | "boolean" }>, seeHelp: string) {
  try {
    const result = parseArgs({ args: words, options, allowPositionals: true, strict: true, tokens: true });
    const seen = new Set<string>();
    for (const token of result.tokens) {
      if (token.kind !== "option") continue;
      if (seen.has(token.name)) throw new Failure("WRONG_CALL", `--${token.name} is given twice`);
      seen.add(token.name);
    }
    return result;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const ambiguous = error instanceof Error && /'(--[\w-]+).* is ambiguous/.exec(error.message)?.[1];
    if (ambiguous)
      throw new Failure("WRONG_CALL", `${ambiguous} needs a value; if it starts with a dash, write ${ambiguous}=VALUE`);
    // parseArgs explains at length how to escape; its first sentence says what is wrong.
    const text = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? "") : String(error);
    throw new Failure("WRONG_CALL", `${text.charAt(0).toLowerCase()}${text.slice(1)}; ${seeHelp}`, { cause: error });
  }
}

function requireAll(
  action: Action,
  positionals: readonly string[],
  options: CommandCall["options"],
  seeHelp: string,
): void {
  const required = action.arguments.filter((name) => !name.startsWith("["));
  const missing = required[positionals.length];
  if (missing === "FILE|-") {
    throw new Failure("WRONG_CALL", "FILE is missing: name a file, or - for standard input");
  }
  if (missing) throw new Failure("WRONG_CALL", `${missing} is missing`);
  const extra = positionals[action.arguments.length];
  if (extra !== undefined) throw new Failure("WRONG_CALL", `unexpected argument "${extra}"; ${seeHelp}`);
  for (const { name, required: isRequired } of action.options) {
    if (isRequired && options[name] === undefined) throw new Failure("WRONG_CALL", `--${name} is missing`);
  }
}

export function textOption(call: CommandCall, name: string): string | null {
  const value = call.options[name];
  return typeof value === "string" ? value : null;
}

export function requiredText(call: CommandCall, name: string): string {
  return textOption(call, name) ?? "";
}

/** The largest limit that an account may have. */
const maxCount = 1_000_000_000;

export function countOption(call: CommandCall, name: string, max = maxCount): number | null {
  const text = textOption(call, name);
  if (text === null) return null;
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > max) {
    throw wrongOption(name, `a whole number from 1 to ${max}`, text);
  }
  return Number(text);
}

export function instantOption(call: CommandCall, name: string): number | null {
  const text = textOption(call, name);
  if (text === null) return null;
  const instant = parseInstant(text);
  if (instant === null) throw wrongOption(name, "a time such as 2027-01-31 or 2027-01-31T12:00:00Z", text);
  return instant;
}

export function imeiOption(call: CommandCall, name: string): string | null {
  const text = textOption(call, name);
  if (text === null || isImei(text)) return text;
  throw wrongOption(name, "an IMEI, 14 to 16 digits", text);
}

export function oneOfOption<const Name extends string>(
  call: CommandCall,
  option: string,
  names: readonly Name[],
): Name | null {
  const text = textOption(call, option);
  const name = names.find((known) => known === text) ?? null;
  if (text !== null && name === null) throw wrongOption(option, `one of ${names.join(", ")}`, text);
  return name;
}

export function wrongOption(name: string, expected: string, text: string | null): Failure {
  return new Failure("WRONG_CALL", `--${name}: expected ${expected}, got "${text}"`);
}

export function uuidOption(call: CommandCall, name: string): string | null {
  const text = textOption(call, name);
  return text === null ? null : requireUuid(text, `--${name}`);
}

/** The first argument. */
export function uuidArgument(call: CommandCall, label: string): string {
  return requireUuid(call.arguments[0] ?? "", label);
}

function requireUuid(text: string, label: string): string {
  if (isUuid(text)) return text.toLowerCase();
  // Someone may paste the secret instead of its id. It must not end up in a log.
  const isSecret = Object.values(credentialPrefixes).some((prefix) => text.startsWith(prefix));
  const got = isSecret ? "the secret itself; `list` shows its ID" : `"${text}"`;
  throw new Failure("WRONG_CALL", `${label}: expected a UUID, got ${got}`);
}
