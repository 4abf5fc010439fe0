import { expect, test } from "bun:test";
import { tokensOf } from "../../src/api/mcp/tool-budget.ts";
import { tools } from "../../src/api/mcp/tools.ts";
import { startFleetServer, workday } from "../examples/fleet-server.ts";
import { bodyIn, officialClients } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { type AskTool, drivers, fleetQuestions } from "./fleet-questions.ts";

const dayMs = 86_400_000;
const maxCalls = 2;
const maxTokens = 3_000;

/** Whether there is a tool, or an argument of one. */
function isThere(name: string): boolean {
  const [tool = "", argument] = name.split(".");
  const properties = tools.get(tool)?.description.inputSchema.properties;
  return properties !== undefined && (argument === undefined || argument in properties);
}

onOneEngine("the questions of a fleet's manager", (engine) => {
  test(`an assistant answers each with at most ${maxCalls} calls and ${maxTokens} tokens`, async () => {
    const server = await startFleetServer(await engine.empty(), {
      vehicles: 40,
      from: workday,
      timeZone: "Europe/Berlin",
    });
    const [account] = server.world.fleet as { id: string }[];
    const imeis = new Map(
      (server.world.fleet as { name?: string; imei?: string }[]).map(({ name, imei }) => [imei, name]),
    );
    await server.load(
      drivers.map(({ name, vehicle }, index) => ({
        ...{ type: "driver", id: `d1d1d1d1-0000-4000-8000-00000000000${index}`, account_id: account?.id, name },
        driver_ids: [`TAG ${vehicle}`],
      })),
    );
    // Each van has a driver of its own, who are at work on all three days.
    await server.load(
      server.frames(workday, workday + 3 * dayMs).map((frame) => {
        const name = imeis.get((frame as { imei: string }).imei);
        return drivers.some(({ vehicle }) => vehicle === name) ? { ...frame, driver_id: `TAG ${name}` } : frame;
      }),
    );
    const key = await server.key();
    const [official] = Object.values(officialClients).slice(-1);
    const assistant = await official?.connect(new URL("/mcp", server.url), { "X-API-Key": key });
    const table: { question: string; calls: number; tokens: number; answer: string }[] = [];
    for (const { question, needs = [], answer } of fleetQuestions) {
      const missing = needs.filter((name) => !isThere(name));
      if (missing.length > 0) {
        table.push({ question, calls: 0, tokens: 0, answer: `waits for ${missing.join(", ")}` });
        continue;
      }
      let [calls, tokens] = [0, 0];
      const ask: AskTool = async (tool, given = {}) => {
        const result = await assistant?.call(tool, given);
        if (!result || result.isError) throw new Error(`${tool} ${JSON.stringify(given)}: ${result?.content[0]?.text}`);
        calls++;
        tokens += tokensOf(result.content.map(({ text = "" }) => text).join("\n"));
        // What has more rows is not answered yet, unless only the nearest were wanted.
        expect(bodyIn(result).next_cursor ?? null).toBeNull();
        if (!("near" in given)) expect(result.content[1]?.text ?? "").not.toContain("for the next");
        return bodyIn(result).data;
      };
      table.push({ question, answer: await answer(ask), calls, tokens });
    }
    console.table(table);
    await assistant?.close();
    await server.stop();
    expect(table).toHaveLength(20);
    const isAfforded = (row: (typeof table)[number]) =>
      row.answer !== "" && row.calls <= maxCalls && row.tokens <= maxTokens;
    expect(table.filter((row) => !isAfforded(row))).toEqual([]);
  });
});
