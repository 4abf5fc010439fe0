import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { WireAnswer } from "../../bench/same-answers/connection.ts";
import { differenceOf } from "../../bench/same-answers/difference.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function answer(body: string, { status = 200, id = "a", extra = "X-Other: 1" } = {}): WireAnswer {
  const requestId = `${id.repeat(8)}-1111-4111-8111-111111111111`;
  const lines = [`X-Request-Id: ${requestId}`, `Date: ${Math.random()}`, extra];
  return { statusLine: `HTTP/1.1 ${status} x`, status, lines, body: Buffer.from(body.replace("ID", requestId)) };
}

test("answers are the same if nothing but the date and the request id differs", () => {
  expect(differenceOf(answer('{"request_id":"ID"}'), answer('{"request_id":"ID"}', { id: "b" }))).toBeNull();
});

test("one other byte of the body, one other header and another status are found", () => {
  const before = answer('{"data":[{"speed":1.0}]}');
  const body = differenceOf(before, answer('{"data":[{"speed":1.5}]}'));
  expect(body).toEqual({ kind: "answer", lines: [".data[0].speed", "- 1", "+ 1.5"] });
  const spelling = differenceOf(before, answer('{"data":[{"speed":1}]}'));
  expect(spelling?.lines[0]).toBe("byte 19 of the body");
  const header = differenceOf(before, answer('{"data":[{"speed":1.0}]}', { extra: "X-Other: 2" }));
  expect(header).toEqual({ kind: "answer", lines: ["- X-Other: 1", "+ X-Other: 2"] });
  expect(differenceOf(before, answer('{"data":[{"speed":1.0}]}', { status: 404 }))?.kind).toBe("answer");
});

test("other words in an error's message are told apart from another error", () => {
  const error = (code: string, message: string) => answer(`{"error":{"code":"${code}","message":"${message}"}}`);
  expect(differenceOf(error("NOT_FOUND", "one"), error("NOT_FOUND", "other"))?.kind).toBe("message");
  expect(differenceOf(error("NOT_FOUND", "one"), error("FORBIDDEN", "other"))?.kind).toBe("answer");
  const refused = (index: number, reason: string) =>
    answer(JSON.stringify({ accepted: 1, refused: [{ index, reason }] }));
  expect(differenceOf(refused(0, "one"), refused(0, "other"))?.kind).toBe("message");
  expect(differenceOf(refused(0, "one"), refused(1, "other"))?.kind).toBe("answer");
});

test("bytes that are compressed in another way are another answer", () => {
  const text = JSON.stringify({ data: [], words: "said twice, said twice, said twice" });
  const packed = (level: 1 | 9) => ({
    ...answer("", { extra: "Content-Encoding: gzip" }),
    body: Buffer.from(Bun.gzipSync(text, { level })),
  });
  const lines = ["the compressed bytes differ, their content does not"];
  expect(differenceOf(packed(1), packed(9))).toEqual({ kind: "answer", lines });
});

test("the program gives the same answers as itself", async () => {
  const words = ["--before", repository, "--requests", "120", "--vehicles", "2", "--seed", "1"];
  const main = fileURLToPath(new URL("../../bench/same-answers/main.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, main, ...words], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ code: await child.exited, stderr, ends: stdout.trim().split("\n").at(-1) }).toEqual({
    code: 0,
    stderr: expect.stringContaining("asking"),
    ends: expect.stringMatching(/^\d{3} answers compared: 0 differ$/),
  });
  // It was not refused all the time.
  for (const route of ["GET /v1/trips", "GET /v1/positions/history", "ingest POST /frames"]) {
    expect(stdout).toMatch(new RegExp(`^${route} +200: \\d`, "m"));
  }
});
