import { expect, test } from "bun:test";
import { lastResort } from "../../src/http/last-resort.ts";
import { createLog } from "../../src/observe/log.ts";

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
