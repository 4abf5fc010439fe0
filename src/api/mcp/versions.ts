import { isObject } from "../../domain/text/raw-object.ts";
import { RpcFailure, type RpcMessage, type RpcParams } from "./message.ts";

/**
 * Versions of the protocol are dates. Up to 2025-11-25 a client begins with `initialize` and then names the version in a
 * header; since 2026-07-28 there is no beginning, and every request says everything. Both are served, request by request:
 * nothing is remembered between two of them.
 */
const sessionVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const statelessVersions = ["2026-07-28"] as const;
const allVersions: readonly string[] = [...statelessVersions, ...sessionVersions];

/** The version of a client that names none: the header came with the next one. It is the only one with batches. */
const versionWithBatches = "2025-03-26";

export type Era = "session" | "stateless";

const versionHeader = "mcp-protocol-version";
const metaPrefix = "io.modelcontextprotocol/";
export const metaKeys = {
  version: `${metaPrefix}protocolVersion`,
  capabilities: `${metaPrefix}clientCapabilities`,
  serverInfo: `${metaPrefix}serverInfo`,
} as const;

/** The versions that `server/discover` names. The others begin with `initialize`. */
export const discoverableVersions: readonly string[] = statelessVersions;

/** The answer to the version that a client asks for in `initialize`: the same one, or our newest of that kind. */
export function agreedVersion(requested: unknown): string {
  return sessionVersions.find((version) => version === requested) ?? sessionVersions[0];
}

/** Refuses several messages in one request, unless the version has that. */
export function requireBatches(headers: Headers): void {
  const version = headers.get(versionHeader) ?? versionWithBatches;
  if (!allVersions.includes(version)) throw unsupported(version);
  if (version !== versionWithBatches) {
    throw new RpcFailure("invalidRequest", `expected one message: version ${version} of the protocol has no batches`);
  }
}

/** In which way the message is to be answered. Refuses a version that is not served, and headers that contradict it. */
export function eraOf(headers: Headers, message: RpcMessage): Era {
  const named = headers.get(versionHeader);
  const declared = metaOf(message.params)[metaKeys.version];
  if (declared === undefined && message.method === "initialize") return "session";
  const isStateless = declared !== undefined || statelessVersions.some((version) => version === named);
  // Which headers a notification needs is not defined.
  if (isStateless && message.id !== null) {
    requireStateless(headers, message, declared);
    return "stateless";
  }
  if (named !== null && !allVersions.includes(named)) throw unsupported(named);
  return "session";
}

function requireStateless(headers: Headers, { method, params }: RpcMessage, declared: unknown): void {
  if (typeof declared !== "string") throw missingMeta(metaKeys.version, "a version, as in MCP-Protocol-Version");
  requireHeader(headers, "MCP-Protocol-Version", declared);
  if (!statelessVersions.some((version) => version === declared)) throw unsupported(declared);
  if (!isObject(metaOf(params)[metaKeys.capabilities])) throw missingMeta(metaKeys.capabilities, "an object");
  requireHeader(headers, "Mcp-Method", method);
  if (method === "tools/call" && typeof params.name === "string") requireHeader(headers, "Mcp-Name", params.name);
}

/** Something between us and the client may have decided by the header, so it has to say what the body says. */
function requireHeader(headers: Headers, name: string, expected: string): void {
  const value = headers.get(name);
  if (value !== null && plain(value) === expected) return;
  const found = value === null ? "is missing" : `is ${JSON.stringify(value)}`;
  throw new RpcFailure(
    "headerMismatch",
    `${name}: expected ${JSON.stringify(expected)}, as in the body, but it ${found}`,
  );
}

/** Clients encode what a header cannot carry. */
function plain(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString();
}

function metaOf({ _meta: meta }: RpcParams): Readonly<Record<string, unknown>> {
  return isObject(meta) ? meta : {};
}

function missingMeta(key: string, expected: string): RpcFailure {
  return new RpcFailure("invalidParams", `params._meta: expected ${key} to be ${expected}`);
}

function unsupported(requested: string): RpcFailure {
  const message = `this version of the protocol is not served; there are ${allVersions.join(", ")}`;
  return new RpcFailure("unsupportedVersion", message, { supported: allVersions, requested });
}
