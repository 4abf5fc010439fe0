import type { Principal } from "../../access/principal.ts";
import type { Failure } from "../../domain/errors.ts";
import { isObject } from "../../domain/text/raw-object.ts";
import { storedZone, type Zone } from "../../domain/time/time-zone.ts";
import { asFailure } from "../../http/failures.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { type ApiCall, type ApiDeps, logFailure } from "../call.ts";
import { includeNames } from "../input/filters.ts";
import { nearParameter } from "../input/near.ts";
import { maxListRows } from "../input/parameters.ts";
import { refuseProblems } from "../input/read-input.ts";
import { accessCheck, chargeDay, chargeFailure } from "../metering.ts";
import { mayUse, requireScope } from "../refusals.ts";
import type { Route } from "../route.ts";
import { listDevices } from "../routes/devices.ts";
import { runRoute } from "../run-route.ts";
import { inFleetTime } from "./local-times.ts";
import { RpcFailure, type RpcParams } from "./message.ts";
import { type ReadNamedRows, understood } from "./named-arguments.ts";
import { maxNamedThings } from "./plain-names.ts";
import { type AskRoute, answerTool, type ToolRequest } from "./tool-answer.ts";
import { isPaged } from "./tool-budget.ts";
import { type ToolRow, toolFields } from "./tool-fields.ts";
import { failedResult, readAnswer, type ToolResult } from "./tool-result.ts";
import { skippedRows } from "./tool-rows.ts";
import { type Tool, tools } from "./tools.ts";

export interface McpCaller {
  readonly deps: ApiDeps;
  readonly call: ApiCall;
  readonly principal: Principal;
  /** The limit of the second that the message is over. Only tools get such a message. */
  readonly limit: Failure | null;
}

/** Answers `tools/call` as the route would. What the API would refuse is a result that the model can read. */
export async function callTool(caller: McpCaller, params: RpcParams): Promise<ToolResult> {
  const { deps, call, principal, limit } = caller;
  const tool = typeof params.name === "string" ? tools.get(params.name) : undefined;
  if (!tool) throw new RpcFailure("invalidParams", "name: there is no such tool; tools/list names them");
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new RpcFailure("invalidParams", "arguments: expected an object");
  try {
    if (limit) throw limit;
    await chargeDay(deps, call, principal);
    return await run(caller, tool, given);
  } catch (error) {
    const failure = await chargeFailure(deps, call, asFailure(error));
    logFailure(deps, call, failure);
    return failedResult(failure, call.requestId);
  } finally {
    call.day = "untouched";
  }
}

async function run({ deps, call, principal }: McpCaller, tool: Tool, given: RpcParams) {
  requireScope(tool.route, principal);
  const { visibility, scopes, keyId } = principal;
  const checkAccess = accessCheck(deps, call, principal);
  const reading = call.reading ?? undefined;
  const viewer = {
    visibility,
    scopes,
    caller: keyId,
    keyId,
    ...(reading && { reading }),
    hasShortCursors: true,
    checkAccess,
    now: call.now,
  };
  const ask: AskRoute = async (route, values, query, maxBytes) => {
    const found = { outcome: "found", route, values } as const;
    return readAnswer(await runRoute(deps, found, { ...viewer, query: query.toString() }), deps.inTime, maxBytes);
  };
  const readRows: ReadNamedRows = async (route, words) =>
    mayUse(route, principal) ? allRows(ask, route, words) : null;
  const hasIds = !mayUse(listDevices, principal);
  const zone = await fleetZone(deps, principal);
  const { meant, unchecked } = await understood(tool, given, readRows);
  const input = toolInput(tool, inFleetTime(tool, meant, zone));
  return answerTool({ ...input, unchecked, hasIds, zone, now: call.now }, ask);
}

/** By which times without an offset are read, and answers say which time they are about. */
export async function fleetZone({ database, inTime }: ApiDeps, { accountId }: Principal): Promise<Zone> {
  return storedZone((await inTime(accountZones(database, accountId))).present);
}

async function allRows(
  ask: AskRoute,
  route: Route,
  words: Readonly<Record<string, string>>,
): Promise<readonly ToolRow[]> {
  const rows: ToolRow[] = [];
  for (let cursor: string | null = ""; cursor !== null && rows.length < maxNamedThings; ) {
    const query = { ...words, limit: words.limit ?? String(maxListRows), ...(cursor && { cursor }) };
    const page = await ask(route, [], new URLSearchParams(query));
    if (words.limit !== undefined) return Array.isArray(page?.body.data) ? page.body.data : [];
    if (Array.isArray(page?.body.data)) rows.push(...page.body.data);
    cursor = page?.body.next_cursor ?? null;
  }
  return rows;
}

/**
 * A model's arguments as a request for the route, which checks the values. Here only what a query could not express is
 * refused, and names that the route does not know: a misspelt filter that is ignored would give an answer about more than
 * was asked.
 */
function toolInput(tool: Tool, given: RpcParams): Omit<ToolRequest, "unchecked" | "hasIds" | "zone" | "now"> {
  const { route, parameters } = tool;
  const names = parameters.map(({ name }) => name);
  const problems = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `${name}: there is no such argument; there are ${names.join(", ")}`);
  const values: string[] = [];
  const query = new URLSearchParams();
  const shown = { fields: "", offset: 0 };
  for (const parameter of parameters) {
    const { name, in: place, required, isCommaList } = parameter;
    // Many models send null for what they leave out.
    const value = given[name] ?? null;
    const text = value === null ? null : isCommaList && Array.isArray(value) ? joined(value) : textOf(value);
    if (text === undefined) problems.push(`${name}: expected a single value, got ${kindOf(value)}`);
    else if (required && !text) problems.push(`${name}: expected a value, got nothing`);
    else if (place === "path") values.push(text ?? "");
    else if (parameter === toolFields) shown.fields = text ?? "";
    else if (parameter === skippedRows) shown.offset = readOffset(text, problems);
    else if (text !== null) query.set(name, text);
  }
  if (shown.offset > 0 && isPaged(route) && !query.get(nearParameter.name)) {
    problems.push(`${skippedRows.name}: goes with ${nearParameter.name} alone; other pages go on with cursor`);
  }
  refuseProblems(problems);
  // Names beside ids spare the model another call.
  if (route.parameters.includes(includeNames)) query.set(includeNames.name, "true");
  return { tool, given, values, query, ...shown };
}

function readOffset(text: string | null, problems: string[]): number {
  const offset = text === null ? 0 : skippedRows.read(text);
  if (offset === undefined) problems.push(`${skippedRows.name}: expected ${skippedRows.expected}`);
  return offset ?? 0;
}

/** Undefined for what is no single value. */
function textOf(value: unknown): string | undefined {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function joined(values: readonly unknown[]): string | undefined {
  const texts = values.map(textOf);
  return texts.includes(undefined) ? undefined : texts.join(",");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : "an object";
}
