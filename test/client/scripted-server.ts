import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What one request is answered with; "cut" breaks off in the middle of the body, "silent" never answers. */
export type ScriptedAnswer = Response | "cut" | "silent";

export interface SeenRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly etag: string | null;
  readonly atMs: number;
}

export interface ScriptedServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  stop(): Promise<void>;
}

/** A server that is in trouble: it answers one request after the other from a list, and the last answer for ever. */
export async function scriptedServer(...script: readonly (() => ScriptedAnswer)[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? "", "http://server");
    const etag = request.headers["if-none-match"] ?? null;
    requests.push({ path, query: Object.fromEntries(searchParams), etag, atMs: performance.now() });
    send(response, script[Math.min(requests.length, script.length) - 1]?.() ?? "silent");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const stop = () =>
    new Promise<void>((stopped) => {
      server.close(() => stopped());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, stop };
}

async function send(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  if (answer === "silent") return;
  if (answer === "cut") {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
    response.write('{"data":[{"type":"trip",', () => response.destroy());
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

interface Answered {
  readonly data?: readonly object[];
  readonly next?: string | null;
  readonly headers?: Record<string, string>;
}

export function changesPage(resumeAfter: string, { data = [], next = null, headers = {} }: Answered = {}) {
  return () => Response.json({ data, next_cursor: next, resume_after: resumeAfter }, { headers });
}

export function failureAnswer(status: number, code: string, headers: Record<string, string> = {}) {
  return () => Response.json({ error: { code, message: code.toLowerCase() }, request_id: "r" }, { status, headers });
}

export function tripChange(id: string) {
  return { type: "trip", change: "removed", id, device_id: "d", changed_at: "2026-11-14T08:00:00.000Z", record: null };
}
