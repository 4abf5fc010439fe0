import type { Principal } from "../../access/principal.ts";
import { errorTable, Failure } from "../../domain/errors.ts";
import { readBody } from "../../http/body.ts";
import { asFailure, methodNotAllowed } from "../../http/failures.ts";
import { type Call, logFailure, refuse, responseContext, type Stages } from "../call.ts";
import { authenticate, countRefused, pass } from "../metering.ts";
import { respond } from "../respond.ts";
import { idOf, parseBody, RpcFailure, type RpcId, readMessage } from "./message.ts";
import { answerMethod } from "./methods.ts";
import { refuseWebPages } from "./origin.ts";
import { type Era, eraOf, requireBatches } from "./versions.ts";

export const mcpPath = "/mcp";

/** For the metrics. */
export const mcpStatuses: readonly number[] = [200, 202, 400, 401, 403, 404, 405, 408, 413, 429, 500, 503];

/** A call with every argument and a cursor has less than 10 KB; clients add what they know about themselves. */
const maxMessageBytes = 64 * 1024;
/** A message is sent at once. Whoever takes longer holds memory. */
const uploadMs = 10_000;
/** Room for a hundred large messages. One account alone may use half of it. */
export const maxHeldBytes = 100 * maxMessageBytes;
/** All answers are sent at once, and each may be long. A batch saves nothing but round trips: each message is counted. */
const maxBatch = 5;

/** The answer to one message; null to a notification. */
interface Reply {
  readonly status: number;
  readonly body: object;
}

/**
 * A message of an assistant from top to bottom (the Model Context Protocol over HTTP, without sessions and streams). As in
 * src/api/request.ts, every failed check throws, and the first failure is the answer.
 */
export async function answerMcp(stages: Stages, call: Call, request: Request): Promise<Response> {
  call.routeName = mcpPath;
  let release = () => {};
  try {
    if (call.method !== "POST") {
      await countRefused(stages, call);
      throw methodNotAllowed(["POST"], "send messages with POST; there are no streams and no sessions here");
    }
    await requireNoWebPage(stages, call);
    const principal = await authenticate(stages, call);
    const limit = await countMessage(stages, call, principal);
    requireJson(call.headers);
    const lease = stages.messages.open(String(principal.accountId));
    release = () => lease.release();
    const body = parseBody(await readBody(request, { maxBytes: maxMessageBytes, lease, uploadMs }));
    const reply = await (Array.isArray(body)
      ? answerBatch(stages, call, principal, body, limit)
      : answerMessage(stages, call, principal, body, limit));
    return respondReply(stages, call, reply);
  } catch (error) {
    const failure = asFailure(error);
    if (!(failure instanceof RpcFailure)) return refuse(stages, call, failure, "agent");
    return respondReply(stages, call, rpcError(stages, call, null, failure));
  } finally {
    release();
  }
}

async function requireNoWebPage(stages: Stages, call: Call): Promise<void> {
  try {
    refuseWebPages(call.headers);
  } catch (error) {
    await countRefused(stages, call);
    throw error;
  }
}

/**
 * Every message is a call of its second. The day is charged by tools. Returns the limit that the message is over, if any: a
 * model is told by the result of its tool, so the message must be read first.
 */
async function countMessage({ limiter, inTime }: Stages, call: Call, principal: Principal): Promise<Failure | null> {
  const spent = await inTime(limiter.spend(principal, "later", call.now));
  try {
    pass(call, spent);
    return null;
  } catch (error) {
    return asFailure(error);
  }
}

/** A page of another origin can send other types without asking the browser's permission first. */
function requireJson(headers: Headers): void {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Failure("INVALID_REQUEST", "Content-Type: expected application/json");
}

async function answerMessage(
  stages: Stages,
  call: Call,
  principal: Principal,
  value: unknown,
  limit: Failure | null = null,
): Promise<Reply | null> {
  let era: Era | null = null;
  try {
    const message = readMessage(value);
    era = eraOf(call.headers, message);
    const { id, params } = message;
    if (limit && (id === null || message.method !== "tools/call")) throw limit;
    // There is nothing that a notification could change here.
    if (id === null) return null;
    const result = await answerMethod(era, message, { stages, call, principal, params, limit });
    return { status: 200, body: { jsonrpc: "2.0", id, result } };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return rpcError(stages, call, idOf(value), error, era);
  }
}

async function answerBatch(
  stages: Stages,
  call: Call,
  principal: Principal,
  values: readonly unknown[],
  limit: Failure | null,
): Promise<Reply | null> {
  if (limit) throw limit;
  requireBatches(call.headers);
  if (values.length === 0 || values.length > maxBatch) {
    throw new RpcFailure("invalidRequest", `expected 1 to ${maxBatch} messages, got ${values.length}`);
  }
  for (const _ of values.slice(1)) {
    const exceeded = await countMessage(stages, call, principal);
    if (exceeded) throw exceeded;
  }
  const bodies: object[] = [];
  for (const value of values) {
    const reply = await answerMessage(stages, call, principal, value);
    if (reply) bodies.push(reply.body);
  }
  return bodies.length === 0 ? null : { status: 200, body: bodies };
}

/**
 * A message that breaks the protocol. Since the stateless version the status says so, too; before it, a request that could
 * be read is answered with 200, whatever the reply.
 */
function rpcError(stages: Stages, call: Call, id: RpcId | null, failure: RpcFailure, era: Era | null = null): Reply {
  logFailure(stages, call, failure);
  const { rpcCode: code, message, data } = failure;
  return errorReply(call, id, era === "session" ? 200 : errorTable[failure.code].status, { code, message, data });
}

function errorReply(
  { requestId }: Call,
  id: RpcId | null,
  status: number,
  { code, message, data = {} }: { readonly code: number; readonly message: string; readonly data?: object },
): Reply {
  return { status, body: { jsonrpc: "2.0", id, error: { code, message, data: { ...data, request_id: requestId } } } };
}

function respondReply(stages: Stages, call: Call, reply: Reply | null): Response {
  const context = responseContext(stages, call);
  const { headers, body } = respond({ body: reply ? JSON.stringify(reply.body) : "" }, context);
  if (reply) return new Response(body, { status: reply.status, headers });
  headers.delete("Content-Type");
  return new Response(null, { status: 202, headers });
}
