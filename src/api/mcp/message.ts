import { Failure } from "../../domain/errors.ts";
import { isObject } from "../../domain/text/raw-object.ts";

/** The codes of JSON-RPC 2.0, and those that the Model Context Protocol adds. */
const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

export type RpcId = string | number;
export type RpcParams = Readonly<Record<string, unknown>>;

export interface RpcMessage {
  /** Null: a notification, which gets no reply. */
  readonly id: RpcId | null;
  readonly method: string;
  readonly params: RpcParams;
}

/** A message that breaks the protocol. In the log it is an INVALID_REQUEST, or NOT_FOUND for an unknown method. */
export class RpcFailure extends Failure {
  readonly rpcCode: number;
  /** What a program may want to know besides the message. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(kind: keyof typeof rpcCodes, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(kind === "methodNotFound" ? "NOT_FOUND" : "INVALID_REQUEST", message);
    this.rpcCode = rpcCodes[kind];
    this.data = data;
  }
}

/** What the bytes say: a message or, in one version of the protocol, several. Whether they are right is seen later. */
export function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RpcFailure("parseError", "the body is not JSON in UTF-8");
  }
}

export function readRpcMessage(value: unknown): RpcMessage {
  if (!isObject(value)) throw invalidRequest("expected an object");
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== "2.0") throw invalidRequest('jsonrpc: expected "2.0"');
  // A response has no method. This server asks its clients nothing, so there is nothing to respond to.
  if (typeof method !== "string") throw invalidRequest("method: expected a text");
  if (id !== undefined && !isId(id)) throw invalidRequest("id: expected a text or a whole number");
  if (!isObject(params)) throw new RpcFailure("invalidParams", "params: expected an object");
  return { id: id ?? null, method, params };
}

/** The id to reply to, also for a message that is otherwise wrong. */
export function rpcIdOf(value: unknown): RpcId | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

function isId(value: unknown): value is RpcId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function invalidRequest(message: string): RpcFailure {
  return new RpcFailure("invalidRequest", message);
}
