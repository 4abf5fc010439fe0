import { afterAll, beforeAll, expect } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bodyIn, officialClients } from "../support/mcp.ts";
import { unhurriedFleet } from "./fleet.ts";
import { answer, follow, type Reader } from "./follow.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.write("fleet.ndjson", unhurriedFleet);
  await stage.run("odograph load fleet.ndjson");
  await stage.serve("odograph serve");
});
afterAll(() => stage.close());

/** Prints what a command prints, which must not fail. */
async function printedBy(command: string): Promise<string> {
  const { output, failed } = await stage.run(command);
  expect({ output, failed }).toEqual({ output, failed: [] });
  return output;
}

const post = 'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8081/frames -d';

const bodies: Reader = async (block, stage, printed) => {
  if (block.text.startsWith('{"accepted":2')) return answer(block, stage, printed);
  if (block.text.startsWith('{"accepted":1')) {
    const good = '{"imei":"356307042441013","recorded_at":"2026-03-14T08:15:50Z"}';
    const bad = '{"imei":"356307042441013","recorded_at":"yesterday","latitude":"abc"}';
    return answer(block, stage, await printedBy(`${post} '[${good},${bad}]'`));
  }
  expect(JSON.parse(await printedBy(`${post} '${block.text}'`))).toEqual({ accepted: 1, duplicate: 0, refused: [] });
};

/** What OsmAnd puts in the place of {0}, {1} and so on. */
const osmand: Reader = async (block) => {
  const values = ["52.52", "13.40", "1773476130", "4.5", "34", "12.5", "90"];
  const address = block.text
    .replace("https://ingest.example.com", "http://127.0.0.1:8081")
    .replace("TOKEN", "$TOKEN")
    .replace(/\{(\d)\}/g, (_, place) => values[place] ?? "");
  await printedBy(`curl "${address}"`);
};

follow("docs/ingest.md", () => stage, {
  readers: { json: bodies, "": osmand },
  before: {
    "odograph import drive.gpx": async (stage) => {
      const point = '<trkpt lat="52.52" lon="13.40"><time>2026-03-14T09:00:00Z</time></trkpt>';
      await stage.write("drive.gpx", `<gpx version="1.1"><trk><trkseg>${point}</trkseg></trk></gpx>`);
      await stage.write("drive.csv", "time,lat,lon,speed\n2026-03-14T10:00:00Z,52.52,13.40,30\n");
    },
  },
});

const records: Reader = async (block, stage) => {
  const shown = JSON.parse(block.text);
  if (shown.error) {
    const create = "odograph keys create --user ana@riverside.example --name Narrow --scopes devices:read 2> /dev/null";
    const { output } = await stage.run(`curl -sS -H "X-API-Key: $(${create})" "$BASE/trips"`, "as it comes");
    return answer(block, stage, output);
  }
  // "The record is cut short here."
  const whole = JSON.parse(await printedBy('curl -H "X-API-Key: $KEY" "$BASE/devices?imei=356307042441013"'));
  expect(whole).toMatchObject(shown);
};

const bothVans = /^356307042441013\s+Van 1\n356307042441021\s+Van 2\n$/;

/** "Both programs read `BASE` and `KEY` from the environment: `export BASE KEY`." */
const script: Reader = async (block, stage) => {
  if (block.text.includes("positions/latest")) {
    await stage.write("poll.mts", block.text);
    // It goes on for ever: one line of it will do.
    const firstLine = 'exec 5< <(exec bun poll.mts); read -r line <&5; kill $!; echo "$line"';
    expect(await printedBy(`export BASE KEY; ${firstLine}`)).toBe("changed: 2 positions\n");
    return;
  }
  await stage.write("pages.mts", block.text);
  expect(await printedBy("export BASE KEY; bun pages.mts")).toMatch(bothVans);
};

const python: Reader = async (block, stage) => {
  await stage.write("pages.py", block.text);
  expect(await printedBy("export BASE KEY; python3 pages.py")).toMatch(bothVans);
};

follow("docs/api.md", () => stage, {
  readers: { json: records, ts: script, python },
  prints: {
    "cursor=": "356307042441013\tVan 1\n356307042441021\tVan 2\n",
    // Only the first answer has a body.
    "touch latest.etag": "200\n304\n304\n",
  },
});

/** A cursor is as long as it is. */
const linkShown: Reader = async (block) => {
  const head = await printedBy('curl -sS -D - -o /dev/null -H "X-API-Key: $KEY" "$BASE/devices?format=csv&limit=1"');
  const link = head.split(/\r?\n/).find((line) => /^link:/i.test(line)) ?? "";
  expect(link.replace(/^link/i, "Link").replace(/(cursor=WzEs)[^>]+/, "$1…")).toBe(block.text);
};

follow("docs/formats.md", () => stage, { readers: { "": linkShown } });

follow("docs/migration.md", () => stage, {
  before: {
    "BASE=": async (stage) => {
      const create = "odograph keys create --user ana@riverside.example --name Migration --scopes all 2> /dev/null";
      stage.mean("odo_…", (await printedBy(create)).trim());
    },
  },
});

const createKey = "odograph keys create --user ana@riverside.example --name Following --scopes all 2> /dev/null";

follow("docs/following.md", () => stage, {
  before: {
    "BASE=": async (stage) => stage.mean("odo_…", (await printedBy(createKey)).trim()),
    // "After a vehicle was renamed."
    '$ curl -sS -H "X-API-Key: $KEY" "$BASE/changes?after=$after&types=device': async (stage) => {
      await stage.write("renamed.ndjson", unhurriedFleet.replace('"name":"Van 1"', '"name":"Van 1 (new)"'));
      await stage.run("odograph load renamed.ndjson");
    },
  },
});

/** What a word of the page is in this run. */
async function actual(word: string): Promise<string> {
  await stage.run(`printf %s "${word}" > word`);
  return readFile(join(stage.directory, "word"), "utf8");
}

interface Entry {
  readonly url?: string;
  readonly httpUrl?: string;
  readonly bearer_token_env_var?: string;
  readonly headers?: Record<string, string>;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** By the names that clients have for them. */
type Configured = Partial<Record<"mcpServers" | "servers" | "mcp_servers", Record<string, Entry>>>;

/** Connects as a client with this configuration would. */
const configuration: Reader = async (block) => {
  const file = (block.language === "toml" ? Bun.TOML.parse(block.text) : JSON.parse(block.text)) as Configured;
  const entry = (file.mcpServers ?? file.servers ?? file.mcp_servers)?.odograph ?? {};
  const key = await actual("$ODOGRAPH_KEY");
  const filled = (text: string) =>
    text
      .replace(/\$\{ODOGRAPH_AUTH\}/, () => entry.env?.ODOGRAPH_AUTH ?? "")
      .replace(/\$\{(?:env:)?ODOGRAPH_KEY\}|\$\{input:odograph-key\}|odo_…/, key);
  const { url = entry.httpUrl, headers = ofVariable(entry) } = entry.args ? ofArguments(entry.args) : entry;
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

/** Codex names the variable that holds the key. */
function ofVariable({ bearer_token_env_var: name }: Entry): Record<string, string> {
  return name === undefined ? {} : { Authorization: `Bearer \${${name}}` };
}

/** `mcp-remote URL --header NAME:VALUE`. */
function ofArguments(given: readonly string[]): Entry {
  const [name = "", value = ""] = (given[given.indexOf("--header") + 1] ?? "").split(/:(.*)/s);
  return { url: given[given.indexOf("mcp-remote") + 1] ?? "", headers: { [name]: value } };
}

follow("docs/agents.md", () => stage, { readers: { json: configuration, toml: configuration } });
