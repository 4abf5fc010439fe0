import packageFile from "../../package.json" with { type: "json" };
import type { Command } from "./command.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "print the version",
  details: "Prints the version of odograph and of the runtime it stands on.",
  actions: [
    {
      name: null,
      arguments: [],
      summary: "print the version",
      options: [{ name: "json", help: "print an object for scripts" }],
      settings: [],
      async run({ options, terminal }) {
        const { version } = packageFile;
        if (options.json) terminal.out(JSON.stringify({ version, bun: Bun.version }));
        else terminal.out(`odograph ${version} (Bun ${Bun.version})`);
      },
    },
  ],
};
