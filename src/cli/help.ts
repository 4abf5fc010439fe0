import { type Action, type Command, command } from "./common/command.ts";
import { type SettingName, settingNames, settingsTable } from "./settings/settings-table.ts";

/** Passed in, because the catalogue imports this file. */
interface Catalogue {
  readonly findCommand: (name: string) => Promise<Command>;
  readonly allCommands: () => Promise<readonly Command[]>;
}

export function helpCommand({ findCommand, allCommands }: Catalogue): Command {
  return command({
    name: "help",
    summary: "print this, or the help of one command",
    details: "Prints all commands, or the usage and options of one.",
    actions: [
      {
        arguments: ["[COMMAND]"],
        summary: "print all commands, or the help of one",
        async run({ arguments: [name], terminal }) {
          terminal.out(name === undefined ? overview(await allCommands()) : commandHelp(await findCommand(name)));
        },
      },
    ],
  });
}

export function overview(commands: readonly Command[]): string {
  const usages = commands.flatMap((command) =>
    command.actions.map((action) => ({ left: usage(command, action), right: action.summary })),
  );
  return [
    "odograph: fleet tracking with a read-only HTTP/JSON API",
    "",
    "Usage: odograph COMMAND [ARGUMENTS] [OPTIONS]",
    "",
    aligned(usages),
    "",
    "Every command takes:",
    aligned([settingHelp("data"), { left: "--help", right: "print the command's help" }]),
    "",
    "Environment:",
    aligned([
      ...settingNames.map((name) => {
        const { environment, help, defaultText } = settingsTable[name];
        return { left: environment, right: defaultText === null ? help : `${help} (${defaultText})` };
      }),
      { left: "ODOGRAPH_INGEST_TOKEN", right: "ingest token for simulate, instead of --token" },
    ]),
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong call or setting.",
    "`odograph help COMMAND` explains a command.",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  const parts = command.actions.map((action) => {
    const options = [
      ...action.options.map(({ name, placeholder, help, required }) => ({
        left: placeholder ? `--${name} ${placeholder}` : `--${name}`,
        right: required ? `${help} (required)` : help,
      })),
      ...action.settings.map(settingHelp),
      action.dataDefault === undefined
        ? settingHelp("data")
        : { ...settingHelp("data"), right: `${settingsTable.data.help} (${action.dataDefault})` },
    ];
    return [`odograph ${usage(command, action)}`, `  ${action.summary}`, aligned(options, 4)].join("\n");
  });
  return [`odograph ${command.name}: ${command.summary}`, "", command.details, "", parts.join("\n\n")].join("\n");
}

function usage(command: Command, action: Action): string {
  return [command.name, action.name, ...action.arguments].filter((word) => word !== null).join(" ");
}

function settingHelp(name: SettingName): { left: string; right: string } {
  const { flag, placeholder, help, defaultText, environment } = settingsTable[name];
  return {
    left: `--${flag} ${placeholder}`,
    right: `${help} (${defaultText === null ? "" : `${defaultText}; `}${environment})`,
  };
}

function aligned(rows: readonly { left: string; right: string }[], indent = 2): string {
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) => `${" ".repeat(indent)}${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}
