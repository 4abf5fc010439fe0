import type { Principal } from "../../access/principal.ts";
import type { Failure } from "../../domain/errors.ts";
import { asFailure } from "../../http/failures.ts";
import { type ApiDeps, type Call, logFailure } from "../call.ts";
import { limit } from "../input/parameters.ts";
import { refuseProblems } from "../input/read-input.ts";
import { accessCheck, chargeDay, chargeFailure } from "../metering.ts";
import { requireScope } from "../refusals.ts";
import { runRoute } from "../run-route.ts";
import { isObject, RpcFailure, type RpcParams } from "./message.ts";
import { failedResult, type ToolResult, toolResult } from "./tool-result.ts";
import { isPaged, type Tool, toolRows, tools } from "./tools.ts";

export interface McpCaller {
  readonly deps: ApiDeps;
  readonly call: Call;
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
  const { route } = tool;
  requireScope(route, principal);
  const { values, query } = toolInput(tool, given);
  const { visibility, scopes, keyId: caller } = principal;
  const found = { outcome: "found", route, values } as const;
  const checkAccess = accessCheck(deps, call, principal);
  const answer = await runRoute(deps, found, { visibility, scopes, caller, checkAccess, query, now: call.now });
  return toolResult(tool, given, answer, deps.inTime);
}

/**
 * A model's arguments as a request for the route, which checks the values. Here only what a query could not express is
 * refused, and names that the route does not know: a misspelt filter that is ignored would give an answer about more than
 * was asked.
 */
function toolInput({ route, parameters }: Tool, given: RpcParams) {
  const names = parameters.map(({ name }) => name);
  const problems = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `${name}: there is no such argument; there are ${names.join(", ")}`);
  const values: string[] = [];
  const query = new URLSearchParams();
  for (const { name, in: place, required, isCommaList } of parameters) {
    // Many models send null for what they leave out.
    const value = given[name] ?? null;
    const text = value === null ? null : isCommaList && Array.isArray(value) ? joined(value) : textOf(value);
    if (text === undefined) problems.push(`${name}: expected a single value, got ${kindOf(value)}`);
    else if (required && !text) problems.push(`${name}: expected a value, got nothing`);
    else if (place === "path") values.push(text ?? "");
    else if (text !== null) query.set(name, text);
  }
  refuseProblems(problems);
  // A cursor carries the limit of the first page.
  if (isPaged(route) && !query.get("cursor") && !query.has(limit.name)) query.set(limit.name, String(toolRows));
  return { values, query: query.toString() };
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
