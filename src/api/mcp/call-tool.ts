import type { Principal } from "../../access/principal.ts";
import type { Failure } from "../../domain/errors.ts";
import { asFailure } from "../../http/failures.ts";
import { type Call, logFailure, type Stages } from "../call.ts";
import { accessCheck, chargeDay, chargeFailure } from "../metering.ts";
import { runRoute } from "../run-route.ts";
import { requireScope } from "../scope.ts";
import { isObject, RpcFailure, type RpcParams } from "./message.ts";
import { toolInput } from "./tool-input.ts";
import { failedResult, type ToolResult, toolResult } from "./tool-result.ts";
import { type Tool, tools } from "./tools.ts";

/**
 * Answers `tools/call` as the route would: charged to the day, and then by scope, input and visibility. What the API would
 * refuse is a result that the model can read, also a limit that is reached (`limit`: that of the second), so that it waits.
 */
export async function callTool(
  stages: Stages,
  call: Call,
  principal: Principal,
  params: RpcParams,
  limit: Failure | null,
): Promise<ToolResult> {
  const tool = typeof params.name === "string" ? tools.get(params.name) : undefined;
  if (!tool) throw new RpcFailure("invalidParams", "name: there is no such tool; tools/list names them");
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new RpcFailure("invalidParams", "arguments: expected an object");
  try {
    if (limit) throw limit;
    await chargeDay(stages, call, principal);
    return await run(stages, call, principal, tool, given);
  } catch (error) {
    const failure = await chargeFailure(stages, call, asFailure(error));
    logFailure(stages, call, failure);
    return failedResult(failure, call.requestId);
  } finally {
    call.day = "untouched";
  }
}

async function run(stages: Stages, call: Call, principal: Principal, tool: Tool, given: RpcParams) {
  const { route } = tool;
  requireScope(route, principal);
  const { values, query } = toolInput(tool, given);
  const { visibility, scopes, keyId: caller } = principal;
  const found = { outcome: "found", route, values } as const;
  const checkAccess = accessCheck(stages, call, principal);
  const answer = await runRoute(stages, found, { visibility, scopes, caller, checkAccess, query, now: call.now });
  return toolResult(tool, given, answer, stages.inTime);
}
