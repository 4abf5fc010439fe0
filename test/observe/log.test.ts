import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import { createLog, type LogOptions } from "../../src/observe/log.ts";
import { type LogLevel, logLevels, type Observation } from "../../src/observe/observation.ts";

const now = Date.UTC(2026, 0, 31, 8, 5, 6, 7);
const answered: Observation = {
  kind: "request_answered",
  requestId: "r1",
  route: "/v1/devices",
  status: 200,
  durationMs: 1.5,
};
const stopped: Observation = { kind: "server_stopped" };
const lost = new Failure("STORE_UNREACHABLE", "PostgreSQL does not answer", { cause: new Error("connection reset") });
const failed: Observation = { kind: "request_failed", requestId: "r2", route: "/v1/trips", cause: lost };

function written(options: Partial<LogOptions>, ...observations: readonly Observation[]): string[] {
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    format: "json",
    now: () => now,
    write: (line) => lines.push(line),
    ...options,
  });
  for (const observation of observations) log(observation);
  return lines;
}

describe("the log", () => {
  test("shows facts from its level on", () => {
    const kinds = (level: LogLevel) =>
      written({ level }, answered, stopped, failed).map((line) => JSON.parse(line).kind as string);
    expect(Object.fromEntries(logLevels.map((level) => [level, kinds(level)]))).toEqual({
      debug: ["request_answered", "server_stopped", "request_failed"],
      info: ["server_stopped", "request_failed"],
      warn: ["request_failed"],
      error: ["request_failed"],
    });
  });

  test("is one JSON object a line, with time, level and the fact's own fields", () => {
    expect(written({}, answered).map((line) => JSON.parse(line))).toEqual([
      {
        time: "2026-01-31T08:05:06.007Z",
        level: "debug",
        kind: "request_answered",
        requestId: "r1",
        route: "/v1/devices",
        status: 200,
        durationMs: 1.5,
      },
    ]);
  });

  test("tells an error with what led to it and where", () => {
    const [line = ""] = written({}, failed);
    const { cause, ...rest } = JSON.parse(line);
    expect(rest).toMatchObject({ level: "error", kind: "request_failed", requestId: "r2", route: "/v1/trips" });
    expect(cause.message).toBe("PostgreSQL does not answer: connection reset");
    expect(cause.stack[0]).toStartWith("at ");
    expect(line).not.toContain("\n");
  });

  test.each([["a text"], [undefined], [null], [7], [{ odd: true }]])("survives that %j was thrown", (thrown) => {
    for (const format of ["json", "human"] as const) {
      const lines = written({ format }, { kind: "maintenance_failed", task: "partitions", cause: thrown });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain("partitions");
    }
  });

  test("is a short line for people", () => {
    expect(written({ format: "human" }, answered, stopped, failed)).toEqual([
      "08:05:06.007 debug request answered requestId=r1 route=/v1/devices status=200 durationMs=1.5",
      "08:05:06.007 info  server stopped",
      '08:05:06.007 error request failed requestId=r2 route=/v1/trips cause="PostgreSQL does not answer: connection reset"',
    ]);
  });

  test("stays one line that a terminal does not obey, whatever an error says", () => {
    const cause = new Error('two\nlines "quoted" \u001b[2Jcleared');
    for (const format of ["json", "human"] as const) {
      for (const error of [cause, new Error("\u001b[2Jcleared")]) {
        const [line = ""] = written({ format }, { kind: "maintenance_failed", task: "x", cause: error });
        expect(line).not.toMatch(/\p{Cc}/u);
        expect(line).toContain("cleared");
      }
    }
  });
});
