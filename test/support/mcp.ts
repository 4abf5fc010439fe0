import { expect } from "bun:test";
import {
  Client as StatelessClient,
  StreamableHTTPClientTransport as StatelessTransport,
} from "@modelcontextprotocol/client";
import { Client as SessionClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as SessionTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ApiUnderTest } from "./api.ts";
import { patienceMs } from "./patience.ts";

/** The clients give up after a minute, which is little where other programs have the processor. */
const waits = { timeout: patienceMs } as const;

const clientInfo = { name: "odograph-test", version: "1.0.0" };

export interface ToolShown {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations?: Record<string, unknown> | undefined;
}

export interface ToolAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the bodies of all routes
  readonly structuredContent?: any;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
}

/** An assistant that is connected with the official client. */
export interface Assistant {
  readonly era: () => string | undefined;
  readonly serverVersion: () => { readonly name: string; readonly version: string } | undefined;
  readonly instructions: () => string | undefined;
  listTools(): Promise<ToolShown[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export type Connect = (url: URL, headers: Record<string, string>) => Promise<Assistant>;

/** The official clients: what is in use, and what replaces it, in each of its ways; and how they should connect. */
export const officialClients: Readonly<Record<string, { readonly connect: Connect; readonly era: string }>> = {
  "the SDK of 2025": { connect: connectSession, era: "legacy" },
  "the SDK of 2026, beginning with initialize": {
    connect: (url, headers) => connectStateless(url, headers, "legacy"),
    era: "legacy",
  },
  "the SDK of 2026, which asks for the version": {
    connect: (url, headers) => connectStateless(url, headers, "auto"),
    era: "modern",
  },
  "the SDK of 2026, without sessions": {
    connect: (url, headers) => connectStateless(url, headers, { pin: "2026-07-28" }),
    era: "modern",
  },
};

async function connectSession(url: URL, headers: Record<string, string>): Promise<Assistant> {
  const client = new SessionClient(clientInfo);
  const transport = new SessionTransport(url, { requestInit: { headers } });
  // Its types were not made for `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    era: () => "legacy",
    serverVersion: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as ToolShown[],
    call: async (name, given = {}) =>
      (await client.callTool({ name, arguments: given }, undefined, waits)) as ToolAnswer,
    close: () => client.close(),
  };
}

async function connectStateless(
  url: URL,
  headers: Record<string, string>,
  mode: "legacy" | "auto" | { readonly pin: string },
): Promise<Assistant> {
  const client = new StatelessClient(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new StatelessTransport(url, { requestInit: { headers } }));
  return {
    era: () => client.getProtocolEra(),
    serverVersion: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as ToolShown[],
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given }, waits)) as ToolAnswer,
    close: () => client.close(),
  };
}

/** The address of the API for assistants, on a free port, until it is disposed of. */
export function serveMcp({ api }: ApiUnderTest): AsyncDisposable & { readonly url: URL } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => api.answer(request, () => "127.0.0.1"),
  });
  return { url: new URL("/mcp", server.url), [Symbol.asyncDispose]: () => server.stop(true) };
}

export interface McpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every kind
  readonly body: any;
}

export interface PostOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

type RawBody = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Each call without a valid key comes from another address, of which each has its own limit. */
let callers = 0;

/** Sends a body as it is, without a client that would make it right. Objects are sent as JSON. */
export async function post(
  { api }: ApiUnderTest,
  body: RawBody | object | null,
  { key = null, headers = {}, method = "POST" }: PostOptions = {},
): Promise<McpResponse> {
  const isRaw =
    body === null || typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  const request = new Request("http://odograph.test/mcp", {
    method,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(key === null ? {} : { "X-API-Key": key }),
      ...headers,
    },
    body: isRaw ? (body as RawBody | null) : JSON.stringify(body),
  });
  const address = `10.0.${callers >> 8}.${callers++ & 255}`;
  const response = await api.answer(request, () => address);
  const text = await response.text();
  if (text !== "") expect(response.headers.get("Content-Type")).toBe("application/json");
  return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
}

/** The body of a tool's answer: its first text, or of a failure the object beside it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind
export function bodyIn({ isError, content, structuredContent }: ToolAnswer): any {
  if (isError) return structuredContent;
  // Not twice.
  expect(structuredContent).toBeUndefined();
  return JSON.parse(content[0]?.text ?? "");
}

/** A request of the older kind. */
export function rpc(method: string, params?: object, id: unknown = 1): object {
  return { jsonrpc: "2.0", id, method, ...(params ? { params } : {}) };
}

export function toolCall(name: string, given: object = {}, id: unknown = 1): object {
  return rpc("tools/call", { name, arguments: given }, id);
}

const statelessVersion = "2026-07-28";

/** A request without a session, and its headers. */
export function stateless(method: string, params: Record<string, unknown> = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": statelessVersion,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers: Record<string, string> = { "MCP-Protocol-Version": statelessVersion, "Mcp-Method": method };
  if (typeof params.name === "string") headers["Mcp-Name"] = params.name;
  return { message: rpc(method, { ...params, _meta: meta }) as { params: Record<string, unknown> }, meta, headers };
}
