import packageFile from "../../package.json" with { type: "json" };
import { command, jsonOption } from "./common/command.ts";
import { licences } from "./licences.ts";

export const versionCommand = command({
  name: "version",
  summary: "print the version",
  details: "Prints the version of odograph and of the runtime it runs on.",
  actions: [
    {
      summary: "print the version",
      options: [jsonOption, { name: "licences", help: "print whose work is in the program, and under which terms" }],
      async run({ options, terminal }) {
        const { version } = packageFile;
        if (options.licences) terminal.out((await licences()).trimEnd());
        else if (options.json) terminal.out(JSON.stringify({ version, bun: Bun.version }));
        else terminal.out(`odograph ${version} (Bun ${Bun.version})`);
      },
    },
  ],
});
