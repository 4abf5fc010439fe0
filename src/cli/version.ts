import packageFile from "../../package.json" with { type: "json" };
import type { Command } from "./common/command.ts";
import { licences } from "./licences.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "print the version",
  details: "Prints the version of odograph and of the runtime it runs on.",
  actions: [
    {
      name: null,
      arguments: [],
      summary: "print the version",
      options: [
        { name: "json", help: "print an object for scripts" },
        { name: "licences", help: "print whose work is in the program, and under which terms" },
      ],
      settings: [],
      async run({ options, terminal }) {
        const { version } = packageFile;
        if (options.licences) terminal.out((await licences()).trimEnd());
        else if (options.json) terminal.out(JSON.stringify({ version, bun: Bun.version }));
        else terminal.out(`odograph ${version} (Bun ${Bun.version})`);
      },
    },
  ],
};
