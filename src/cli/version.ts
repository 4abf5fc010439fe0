import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { command, jsonOption } from "./common/command.ts";

export const versionCommand = command({
  name: "version",
  summary: "print the version",
  details: "Prints the version of odograph and of the runtime it runs on.",
  options: [jsonOption, { name: "licences", help: "print whose work is in the program, and under which terms" }],
  async run({ options, terminal }) {
    const { version } = packageFile;
    if (options.licences) terminal.out((await licences()).trimEnd());
    else if (options.json) terminal.out(JSON.stringify({ version, bun: Bun.version }));
    else terminal.out(`odograph ${version} (Bun ${Bun.version})`);
  },
});

/** What scripts/one-file.ts puts into the program: the NOTICE, and the licence of each package in full. */
export const licencesName = "licences.txt";

/** Whose work is in this program, and under which terms. */
async function licences(): Promise<string> {
  if (Bun.isStandaloneExecutable) return Bun.file(join(import.meta.dir, licencesName)).text();
  const notice = await Bun.file(join(import.meta.dir, "../../NOTICE")).text();
  return `${notice}\nThe licence of each package is in its folder in node_modules.\n`;
}
