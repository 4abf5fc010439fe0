import { expect, test } from "bun:test";
import { type Audience, type ErrorCode, errorTable, Failure } from "../../src/domain/errors.ts";
import { asFailure, failureAnswer, HttpFailure, methodNotAllowed, observeFailure } from "../../src/http/failures.ts";
import { lastResort } from "../../src/http/last-resort.ts";
import { createLog } from "../../src/observe/log.ts";
import type { Observation } from "../../src/observe/observation.ts";

const codes = Object.keys(errorTable) as ErrorCode[];
const audiences: readonly Audience[] = ["api", "portal", "sender"];
const secret = "a text for the log only";

function observed(error: unknown, caller: { keyId?: string; network?: string }): Observation[] {
  const facts: Observation[] = [];
  observeFailure((fact) => facts.push(fact), { requestId: "r", route: "/x", caller }, asFailure(error));
  return facts;
}

test("a caller who may not see an error gets neither its code nor its message, fields or headers", () => {
  for (const code of codes) {
    const extra = { fields: { field: secret }, headers: { "X-Extra": secret } };
    const failure = new HttpFailure(code, secret, extra);
    for (const audience of audiences) {
      const { status, headers, body } = failureAnswer(failure, audience, "r");
      const seen = (errorTable[code].seenBy as readonly Audience[]).includes(audience);
      const text = JSON.stringify([headers, body]);
      expect([code, audience, text.includes(secret)]).toEqual([code, audience, seen]);
      if (seen) expect([status, text.includes(code)]).toEqual([errorTable[code].status, true]);
      else expect(text).toMatch(audience === "sender" && code.startsWith("STORE_") ? /"UNAVAILABLE"/ : /"INTERNAL"/);
    }
  }
});

test("nobody sees a fault of ours, and everybody sees a mistake of their own that can happen to them", () => {
  for (const code of codes) {
    const { outcome, seenBy } = errorTable[code];
    expect([code, seenBy.length === 0]).toEqual([code, outcome === "failed"]);
  }
});

test("a sender keeps its frames when the store is in trouble: 503, and when to send them again", () => {
  const { status, headers, body } = failureAnswer(new Failure("STORE_FULL", secret), "sender", "r");
  expect([status, headers]).toEqual([503, { "Retry-After": "5" }]);
  expect(body).toEqual({
    error: { code: "UNAVAILABLE", message: "not all was stored; send it again later" },
    request_id: "r",
  });
});

test("what nobody threw on purpose is INTERNAL to the client, and in the log its text without secrets and its place", () => {
  const key = `odk_${"x".repeat(46)}`;
  const thrown = new TypeError(`no ${key} at /v1?token=${key}`, { cause: new Error(`for ${key}`) });
  const answer = failureAnswer(asFailure(thrown), "api", "r");
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([
    500,
    '{"error":{"code":"INTERNAL","message":"the server failed; try again with backoff"},"request_id":"r"}',
  ]);
  const [fact] = observed(thrown, { keyId: "k" });
  const { cause, ...rest } = fact as Extract<Observation, { kind: "request_failed" }>;
  expect(rest).toEqual({ kind: "request_failed", requestId: "r", keyId: "k", route: "/x" });
  expect(`${(cause as Error).message} ${(cause as Error).stack}`).not.toContain("xxx");
  expect((cause as Error).message).toBe("TypeError: no … at /v1…: Error: for …");
  expect((cause as Error).stack).toContain("failures.test.ts");
});

test("the log tells refused from failed, and has nothing of a client that went away", () => {
  const network = "192.0.2.0";
  expect(observed(new Failure("NOT_FOUND", "x"), { network })).toEqual([
    { kind: "request_refused", requestId: "r", network, route: "/x", status: 404, code: "NOT_FOUND" },
  ]);
  expect(observed(new Failure("UNAVAILABLE", "x"), { keyId: "k" })).toMatchObject([{ kind: "request_refused" }]);
  const [failed] = observed(new Failure("STORE_FULL", "x"), { network });
  expect(failed).toMatchObject({ kind: "request_failed", route: "/x" });
  expect(failed).not.toHaveProperty("network");
  expect(observed(new Failure("CLIENT_GONE", "x"), { network })).toEqual([]);
});

test.each([
  [["POST"], "expected POST"],
  [["GET", "HEAD"], "expected GET or HEAD"],
  [["GET", "HEAD", "POST", "DELETE"], "expected GET, HEAD, POST or DELETE"],
])("another method than %p gets the list of them", (allowed, message) => {
  expect(methodNotAllowed(allowed).message).toBe(message);
});

test("what nobody has foreseen is one line in the log without a secret, and JSON to the client", async () => {
  const token = `odi_${"x".repeat(46)}`;
  const asUrl = (() => {
    try {
      return new URL(`/osmand?id=1&token=${token}`);
    } catch (error) {
      return error;
    }
  })();
  const causes = [
    asUrl,
    new Error(`no such thing: /osmand?token=${token}\nand ${token}`),
    Object.assign(new TypeError("odd"), { input: token }),
    `a text with ${token}`,
    null,
  ];
  for (const cause of causes) {
    for (const format of ["json", "human"] as const) {
      const lines: string[] = [];
      const log = createLog({ level: "error", format, write: (line) => lines.push(line) });
      const response = lastResort(log, "public side", "api")(cause);
      const body = (await response.json()) as { request_id: string; error: { code: string } };
      expect([response.status, body.error.code, response.headers.get("X-Request-Id")]).toEqual([
        500,
        "INTERNAL",
        body.request_id,
      ]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(body.request_id);
      expect(lines[0]).not.toMatch(/odi_|token=|\n/);
    }
  }
});
