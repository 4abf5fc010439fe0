import { command, jsonOption } from "./common/command.ts";
import { textTable } from "./common/table.ts";
import { effectiveSettings, requireServable, serverSettings } from "./settings/settings.ts";

export const configCommand = command({
  name: "config",
  summary: "print the effective settings, secrets masked",
  details: [
    "Prints every setting with its value and where it came from: a flag, the environment, a file, or its default.",
    "DATABASE_URL, where set, is used instead of --data. Passwords and secrets are shown as ***. Settings that `serve`",
    "would refuse are refused here, too.",
  ].join("\n"),
  actions: [
    {
      summary: "print the effective settings",
      options: [jsonOption],
      settings: serverSettings,
      async run({ options, environment, terminal, settings: read }) {
        const settings = effectiveSettings(options, environment);
        requireServable(read());
        if (options.json) {
          const entries = settings.map(({ name, shown, source }) => [name, { value: shown, source }]);
          terminal.out(JSON.stringify(Object.fromEntries(entries)));
          return;
        }
        const rows = settings.map(({ environment: variable, flag, shown, source }) => [
          variable,
          flag ? `--${flag}` : "",
          shown ?? "-",
          source,
        ]);
        terminal.out(textTable(["SETTING", "FLAG", "VALUE", "FROM"], rows));
      },
    },
  ],
});
