// Writes the parts of docs/cli.md that follow from the program: the table of settings, and how each command is called with its
// options. `test/docs/cli-reference.test.ts` compares them. Everything else on that page is written by hand.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/cli/commands.ts";
import type { Action, Command } from "../src/cli/common/command.ts";
import { type SettingName, settingNames, settingsTable } from "../src/cli/settings/settings-table.ts";

/** What the guide says of a setting. */
const pages: Readonly<Partial<Record<SettingName, string>>> = {
  databaseUrl: "operations.md#postgresql",
  databaseReadUrl: "operations.md#postgresql",
  databasePool: "operations.md#postgresql",
  drainSeconds: "operations.md#several-nodes",
  retainDays: "operations.md#disk-and-retention",
  trustClock: "operations.md#disk-and-retention",
  mqtt: "ingest.md#a-broker",
  trackers: "trackers.md",
  trackerProxies: "trackers.md#behind-a-balancer",
  mapStyle: "streets.md#another-style",
  mapTiles: "streets.md",
  geocoder: "streets.md#names-of-places",
  smtp: "sign-in.md#mail",
  oidcIssuer: "sign-in.md#openid-connect",
  otlpEndpoint: "watching.md#traces",
};

const widest = 110;

/** A call that takes more than these takes nearly all, and the page has a table of them. */
const maxSettings = 20;

const introAndCall = /^#{2,3} .*\n[\s\S]*?^```\nodograph [^`]*```\n/m;
const intro = /^## [\s\S]*/;

if (import.meta.main) {
  const path = join(import.meta.dir, "../docs/cli.md");
  writeFileSync(path, cliReference(readFileSync(path, "utf8"), await allCommands()));
}

/** The page with those parts as the program has them now. They are found by the headings above them. */
export function cliReference(page: string, commands: readonly Command[]): string {
  const sections = new Map(page.split(/^(?=#{2,3} )/m).map((text) => [text.slice(0, text.indexOf("\n")), text]));
  const change = (heading: string, part: RegExp, text: string) => {
    const section = sections.get(heading);
    if (section === undefined) throw new Error(`no heading "${heading}"`);
    if (!part.test(section)) throw new Error(`"${heading}" lacks ${part}`);
    sections.set(
      heading,
      section.replace(part, () => text),
    );
  };
  change("## Settings", table("variable"), settingRows());
  for (const command of commands) {
    const { name, details, actions } = command;
    const main = `## odograph ${name}`;
    const own = actions.filter((action) => action.name !== null && sections.has(`### ${name} ${action.name}`));
    // Actions without a section of their own are called alike.
    const shared = actions.filter((action) => !own.includes(action));
    const calls = shared.length > 0 ? `${callsOf(command, shared)}\n` : "";
    change(main, shared.length > 0 ? introAndCall : intro, `${main}\n\n${asMarkdown(details)}\n\n${calls}`);
    if (shared[0] && listedOptions(shared[0]).length > 0) change(main, table("option"), optionRows(shared[0]));
    for (const action of own) {
      const heading = `### ${name} ${action.name}`;
      const summary = `${action.summary[0]?.toUpperCase()}${action.summary.slice(1)}.`;
      change(heading, introAndCall, `${heading}\n\n${summary}\n\n${callsOf(command, [action])}\n`);
      if (listedOptions(action).length > 0) change(heading, table("option"), optionRows(action));
    }
  }
  return [...sections.values()].join("");
}

/** What the help sets apart by spaces becomes a block of text. */
function asMarkdown(details: string): string {
  return details
    .replaceAll("***", "`***`")
    .replace(/(?:^ {2}.*\n?)+/gm, (lines) => `\n\`\`\`text\n${lines.replaceAll(/^ {2}/gm, "").trimEnd()}\n\`\`\`\n`)
    .trimEnd();
}

function callsOf(command: Command, actions: readonly Action[]): string {
  return `\`\`\`\n${actions.map((action) => call(command, action)).join("\n")}\n\`\`\``;
}

function table(firstHead: string): RegExp {
  return new RegExp(`^\\| ${firstHead} +\\|.*\\n(?:\\|.*\\n)+`, "m");
}

function settingRows(): string {
  const rows = settingNames.map((name) => {
    const { environment, flag, help, defaultText } = settingsTable[name];
    const page = pages[name];
    return [
      `\`${environment}\``,
      flag === null ? "none" : `\`--${flag}\``,
      defaultText === null ? "" : `\`${defaultText}\``,
      page === undefined ? help : `${help} ([more](${page}))`,
    ];
  });
  return tableOf(["variable", "flag", "default", "what"], rows);
}

/** What `--json` does is said once, at the top of the page. */
function listedOptions({ options }: Action): Action["options"] {
  return options.filter(({ name }) => name !== "json");
}

function optionRows(action: Action): string {
  const rows = listedOptions(action).map(({ name, placeholder, help, required }) => [
    `\`${placeholder ? `--${name} ${placeholder}` : `--${name}`}\``,
    required ? `${help}. Required` : help,
  ]);
  return tableOf(["option", "what"], rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [head, head.map(() => "---"), ...rows].map(line).join("");
}

/** Long calls are broken between options. */
function call(command: Command, action: Action): string {
  const words = ["odograph", command.name, action.name, ...action.arguments].filter((word) => word !== null);
  const options = action.options.map(({ name, placeholder, required }) => {
    const text = placeholder ? `--${name} ${placeholder}` : `--${name}`;
    return required ? text : `[${text}]`;
  });
  const flags =
    action.settings.length > maxSettings
      ? ["[SETTINGS]"]
      : action.settings.map((name) => `[--${settingsTable[name].flag} ${settingsTable[name].placeholder}]`);
  const lines = [words.join(" ")];
  for (const part of [...options, ...flags]) {
    const longer = `${lines.at(-1)} ${part}`;
    if (longer.length > widest) lines.push(`  ${part}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}
