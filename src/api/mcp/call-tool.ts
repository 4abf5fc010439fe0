import type { Principal } from "../../access/principal.ts";
import type { Failure } from "../../domain/errors.ts";
import { asFailure } from "../../http/failures.ts";
import { type ApiDeps, type Call, logFailure } from "../call.ts";
import { accessCheck, chargeDay, chargeFailure } from "../metering.ts";
import { runRoute } from "../run-route.ts";
import { requireScope } from "../scope.ts";
import { isObject, RpcFailure, type RpcParams } from "./message.ts";
import { toolInput } from "./tool-input.ts";
import { failedResult, type ToolResult, toolResult } from "./tool-result.ts";
import { type Tool, tools } from "./tools.ts";

/** Who sends a message, and with which call. */
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
