import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/store/open.ts";
import { keyOf } from "../support/api.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { exchange, type RawResponse, responsesIn } from "../support/raw-http.ts";
import { seedFleet } from "../support/seed-fleet.ts";

const closing = "Host: odograph.test\r\nConnection: close\r\n";

function hasNoBody(status: number, request: string): boolean {
  return status === 304 || request.startsWith("HEAD");
}

/** What a sender that is no HTTP client may say. Whatever is answered, the server lives on. */
const garbage = [
  "\r\n\r\n\r\n",
  "\x00\x01\x02\x03\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello tls\r\n\r\n",
  "GET\r\n\r\n",
  "GET /v1/health\r\n\r\n",
  "GET /v1/health HTTP/9.9\r\nHost: a\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nno colon\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n bad: c\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
  "GET /v1/health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

describe("the server on the network", () => {
  let program: RunningProgram;
  let key = "";

  beforeAll(async () => {
    const directory = join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
    const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
    const { owner } = await seedFleet(database);
    key = await keyOf(database, owner.email);
    await database.close();
    program = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], {
      env: { ODOGRAPH_DATA: directory },
    });
  });
  afterAll(async () => {
    const { code } = await program.stop();
    expect(code).toBe(0);
  });

  async function ask(text: string, heads: readonly number[] = []): Promise<RawResponse[]> {
    return responsesIn(await exchange(program.url, text), heads);
  }
  const isAlive = async () => (await fetch(`${program.url}/v1/health`)).status === 200;

  test("dates every answer, allows no foreign page to read one, and names its request", async () => {
    const keyed = `${closing}X-API-Key: ${key}\r\nOrigin: https://elsewhere.test\r\n`;
    const [first] = await ask(`GET /v1/positions/latest HTTP/1.1\r\n${keyed}\r\n`);
    const tag = first?.headers.get("etag");
    const wanted: [status: number, request: string, headers: string][] = [
      [200, "GET /v1/devices", keyed],
      [304, "GET /v1/positions/latest", `${keyed}If-None-Match: ${tag}\r\n`],
      [304, "HEAD /v1/positions/latest", `${keyed}If-None-Match: ${tag}\r\n`],
      [200, "HEAD /v1/devices", keyed],
      [400, "GET /v1/devices?limit=0", keyed],
      [401, "GET /v1/devices", closing],
      [404, "GET /v1/nothing", keyed],
      [405, "OPTIONS /v1/devices", `${keyed}Access-Control-Request-Method: GET\r\n`],
      [405, "POST /v1/devices", `${keyed}Content-Length: 2\r\n`],
      [200, "GET /v1/health", keyed],
      [200, "GET /v1/openapi.json", keyed],
    ];
    for (const [status, request, headers] of wanted) {
      const body = request.startsWith("POST") ? "{}" : "";
      const [response] = await ask(
        `${request} HTTP/1.1\r\n${headers}\r\n${body}`,
        hasNoBody(status, request) ? [0] : [],
      );
      expect([request, response?.status]).toEqual([request, status]);
      const names = [...(response?.headers.keys() ?? [])];
      expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
      for (const name of ["date", "x-request-id", "x-ratelimit-remaining", "x-content-type-options"]) {
        expect([request, names.filter((found) => found === name)]).toEqual([request, [name]]);
      }
      expect(Math.abs(Date.parse(response?.headers.get("date") ?? "") - Date.now())).toBeLessThan(10_000);
    }
  });

  test("refuses a request whose line or headers are too long, and closes", async () => {
    const long = "a".repeat(20_000);
    const many = Array.from({ length: 2_000 }, (_, index) => `X-${index}: a\r\n`).join("");
    for (const text of [
      `GET /v1/health?x=${long} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET /v1/health HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`,
      `GET /v1/health HTTP/1.1\r\nHost: a\r\n${many}\r\n`,
      `GET /${long.repeat(50)}`,
    ]) {
      const [response] = await ask(text);
      expect([414, 431]).toContain(response?.status ?? 0);
    }
    expect(await isAlive()).toBe(true);
    // What is merely long is no longer than a cursor may be.
    const [response] = await ask(
      `GET /v1/devices?search=${"a".repeat(8_000)} HTTP/1.1\r\n${closing}X-API-Key: ${key}\r\n\r\n`,
    );
    expect(response?.status).toBe(400);
  });

  test("answers requests that come all at once in their order, and what follows them as it deserves", async () => {
    const keyed = `Host: a\r\nX-API-Key: ${key}\r\n`;
    const pipelined = ["/v1/health", "/v1/devices?limit=1", "/v1/nothing"]
      .map((path) => `GET ${path} HTTP/1.1\r\n${keyed}\r\n`)
      .join("");
    const inOrder = await ask(`${pipelined}GET /v1/users HTTP/1.1\r\n${closing}X-API-Key: ${key}\r\n\r\n`);
    expect(inOrder.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    const withGarbage = await exchange(program.url, `${pipelined}\x01\x02 garbage\r\n\r\n`);
    expect(withGarbage).toStartWith("HTTP/1.1 200");
    expect(await isAlive()).toBe(true);
  });

  test("lives on, whatever is sent that is no request", async () => {
    for (const text of garbage) {
      const answer = await exchange(program.url, text, { thenEnd: true });
      // Some of it the parser lets pass, and then it is a request like any other.
      if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 (4\d\d|505|200) /);
    }
    expect(await isAlive()).toBe(true);
  });
});
