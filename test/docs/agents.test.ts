import { afterAll, beforeAll, expect } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bodyIn, officialClients } from "../support/mcp.ts";
import { unhurriedFleet } from "./fleet.ts";
import { follow, type Reader } from "./follow.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", unhurriedFleet);
  await stage.run("bin/odograph load fleet.ndjson");
  await stage.serve("bin/odograph serve");
});
afterAll(() => stage.close());

/** What a word of the page is in this run. */
async function actual(word: string): Promise<string> {
  await stage.run(`printf %s "${word}" > word`);
  return readFile(join(stage.directory, "word"), "utf8");
}

interface Entry {
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** Connects as a client with this configuration would. */
const configuration: Reader = async (block) => {
  const file = JSON.parse(block.text) as { mcpServers?: Record<string, Entry>; servers?: Record<string, Entry> };
  const entry = (file.mcpServers ?? file.servers)?.odograph ?? {};
  const key = await actual("$ODOGRAPH_KEY");
  const filled = (text: string) =>
    text
      .replace(/\$\{ODOGRAPH_AUTH\}/, () => entry.env?.ODOGRAPH_AUTH ?? "")
      .replace(/\$\{(?:env:)?ODOGRAPH_KEY\}|\$\{input:odograph-key\}|odo_…/, key);
  const { url, headers = {} } = entry.args ? ofArguments(entry.args) : entry;
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));
  for (const { connect } of Object.values(officialClients)) {
    const assistant = await connect(new URL(await actual(url ?? "")), sent);
    const names = (await assistant.listTools()).map(({ name }) => name);
    expect(names).toContain("report_mileage");
    expect(names).not.toContain("list_users");
    expect(bodyIn(await assistant.call("list_devices", { search: "Van 1" })).data).toHaveLength(1);
    await assistant.close();
  }
};

/** `mcp-remote URL --header NAME:VALUE`. */
function ofArguments(given: readonly string[]): Entry {
  const [name = "", value = ""] = (given[given.indexOf("--header") + 1] ?? "").split(/:(.*)/s);
  return { url: given[given.indexOf("mcp-remote") + 1] ?? "", headers: { [name]: value } };
}

follow("docs/agents.md", () => stage, { readers: { json: configuration } });
