import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { smallFleet } from "../support/fleet.ts";
import { loadIngestFleet, vanImei } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { type IngestServer, startServer } from "../support/ingest-server.ts";
import { exchange, type RawResponse, responsesIn } from "../support/raw-http.ts";
import { newPath } from "./outcome.ts";

/** How a sender may name the host, or not. `new URL` throws at most of what the runtime makes of them. */
const heads: [version: string, host: string, base?: string][] = [
  ["HTTP/1.0", ""],
  ["HTTP/1.0", "Host: fleet.test\r\n"],
  ["HTTP/1.0", "", "http://fleet.test"],
  ["HTTP/1.1", "Host:\r\n"],
  ["HTTP/1.1", "Host: 1.2.3.4:99999\r\n"],
  ["HTTP/1.1", "Host: [::\r\n"],
  ["HTTP/1.1", "Host: %zz\r\n"],
  ["HTTP/1.1", "Host: a b\r\n"],
  ["HTTP/1.1", "Host: a/b?c#d\r\n"],
  ["HTTP/1.1", "Host: \xff\xfe\r\n"],
  ["HTTP/1.1", "Host: fleet.test\r\n", "http://other.test"],
  ["HTTP/1.1", "Host: [::\r\n", "http://[::"],
];

describe("a request whose host is odd, or missing", () => {
  let server: IngestServer;
  let token = "";
  let key = "";
  let count = 0;

  beforeAll(async () => {
    const directory = await newPath("data");
    const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
    await loadIngestFleet(database);
    token = await tokenOf(database);
    await database.change(sql`update accounts set limit_per_second = 100000`);
    key = await keyOf(database, smallFleet.olga.email, { perSecond: 100_000 });
    await database.close();
    server = await startServer({ env: { ODOGRAPH_DATA: directory } });
  });
  afterAll(async () => {
    const { code, stderr } = await server.stop();
    expect(code).toBe(0);
    // All that is in the log was written by it, and none of it is a token, an address or a line of source.
    for (const line of stderr.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("kind");
    expect(stderr).not.toMatch(/odi_|token=|Invalid URL|request_failed/);
  });

  interface Asked {
    readonly url: string;
    readonly method: string;
    readonly target: string;
    readonly headers?: string;
    readonly body?: string;
  }

  async function ask({ url, method, target, headers = "", body }: Asked, head: (typeof heads)[number]) {
    const [version, host, base = ""] = head;
    const length = body === undefined ? "" : `Content-Length: ${body.length}\r\n`;
    // Each from another address: what an address may do without a key or a token is not what this is about.
    const from = `X-Forwarded-For: 198.51.${(count >> 8) % 256}.${count++ % 256}\r\n`;
    const lines = `${method} ${base}${target} ${version}\r\n${host}Connection: close\r\n${from}${headers}${length}\r\n`;
    const [response] = responsesIn(await exchange(url, lines + (body ?? "")));
    if (response === undefined) throw new Error(`nothing came back of ${lines}`);
    return response;
  }

  function contentOf({ headers, body, isWhole }: RawResponse): unknown {
    expect(isWhole).toBe(true);
    if (!headers.get("content-type")?.includes("json")) return headers.get("content-type");
    const { request_id, ...rest } = JSON.parse(body);
    return rest;
  }

  async function isServedAlike(asked: Asked, status: number): Promise<void> {
    const ordinary = await ask(asked, ["HTTP/1.1", "Host: fleet.test\r\n"]);
    expect([asked.target, ordinary.status]).toEqual([asked.target, status]);
    for (const head of heads) {
      const response = await ask(asked, head);
      expect([head, asked.target, response.status, contentOf(response)]).toEqual([
        head,
        asked.target,
        status,
        contentOf(ordinary),
      ]);
    }
  }

  test("is served like any other by the ingest port", async () => {
    const { ingestUrl: url } = server;
    const bearer = `Authorization: Bearer ${token}\r\n`;
    const place = `id=${vanImei}&lat=52.5&lon=13.4&timestamp=1767225600`;
    // Once before, so that all of them are duplicates.
    await fetch(`${url}/osmand?${place}&token=${token}`);
    await isServedAlike({ url, method: "GET", target: `/osmand?${place}&token=${token}` }, 200);
    await isServedAlike({ url, method: "POST", target: `/osmand?token=${token}`, body: "{}" }, 400);
    await isServedAlike({ url, method: "PUT", target: `/osmand?token=${token}` }, 405);
    await isServedAlike({ url, method: "GET", target: `/nothing?token=${token}` }, 404);
    for (const path of ["/frames", "/traccar/positions", "/traccar/events", "/owntracks"]) {
      await isServedAlike({ url, method: "POST", target: path, headers: bearer, body: "no JSON" }, 400);
    }
    await isServedAlike({ url, method: "POST", target: "/frames", headers: bearer, body: "[]" }, 200);
    await isServedAlike({ url, method: "GET", target: "/ready" }, 200);
    await isServedAlike({ url, method: "GET", target: `/metrics?token=${token}` }, 200);
    await isServedAlike({ url, method: "GET", target: `/osmand?id=1&token=${token.slice(0, -1)}!` }, 401);
  });

  test("is served like any other by the API", async () => {
    const headers = `X-API-Key: ${key}\r\n`;
    const { url } = server;
    await isServedAlike({ url, method: "GET", target: "/v1/health" }, 200);
    await isServedAlike({ url, method: "GET", target: `/v1/devices?limit=1&token=${token}`, headers }, 200);
    await isServedAlike({ url, method: "GET", target: "/v1/devices?limit=0", headers }, 400);
    await isServedAlike({ url, method: "GET", target: `/v1/nothing?token=${token}`, headers }, 404);
    await isServedAlike({ url, method: "POST", target: "/v1/devices", headers, body: "{}" }, 405);
  });

  test("is served like any other by the portal", async () => {
    const { url } = server;
    const own = "X-Odograph-Portal: 1\r\n";
    const session = { url, method: "POST", target: "/portal/api/session" };
    await isServedAlike({ ...session, headers: own, body: '{"email":"a@b.example","password":7}' }, 400);
    await isServedAlike({ ...session, body: "{}" }, 403);
    await isServedAlike({ ...session, headers: `${own}Origin: http://elsewhere.test\r\n`, body: "{}" }, 403);
    await isServedAlike({ ...session, method: "GET" }, 401);
    await isServedAlike({ ...session, method: "DELETE", headers: own }, 204);
    await isServedAlike({ url, method: "GET", target: `/portal/keys?token=${token}` }, 200);
    // Nobody's host is the same as that of a page without one.
    const fromFile = { ...session, headers: `${own}Origin: file://\r\n`, body: "{}" };
    await isServedAlike(fromFile, 403);
  });

  test("is refused with two of them, whichever they are, and everywhere", async () => {
    const { url, ingestUrl } = server;
    const own = "X-Odograph-Portal: 1\r\n";
    for (const hosts of [
      "Host: a.test\r\nHost: b.test\r\n",
      "host: a.test\r\nHOST: a.test\r\n",
      "Host: a.test\r\nHost:\r\n",
    ]) {
      for (const asked of [
        { url, method: "GET", target: "/v1/health" },
        { url, method: "GET", target: "/v1/devices", headers: `X-API-Key: ${key}\r\n` },
        { url, method: "GET", target: "/portal/" },
        { url, method: "POST", target: "/mcp", body: "{}" },
        { url, method: "POST", target: "/portal/api/session", headers: own, body: "{}" },
        { url: ingestUrl, method: "GET", target: "/ready" },
        {
          url: ingestUrl,
          method: "POST",
          target: "/frames",
          headers: `Authorization: Bearer ${token}\r\n`,
          body: "[]",
        },
      ]) {
        const { status, headers, body } = await ask(asked, ["HTTP/1.1", hosts]);
        expect([asked.target, status, JSON.parse(body).error]).toEqual([
          asked.target,
          400,
          { code: "INVALID_REQUEST", message: "Host: expected one" },
        ]);
        expect([headers.get("content-type"), headers.get("x-request-id")]).toEqual([
          "application/json",
          JSON.parse(body).request_id,
        ]);
        if (asked.url === url) expectUsualHeaders(headers);
      }
    }
  });

  function expectUsualHeaders(headers: RawResponse["headers"]): void {
    const names = ["limit", "remaining", "reset", "limit-second", "remaining-second"].map((n) => `x-ratelimit-${n}`);
    for (const name of names) expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(/^\d+$/)]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }

  test("with a body of more than a mebibyte is refused by the API, whatever is asked for", async () => {
    const { url } = server;
    const headers = `X-API-Key: ${key}\r\n`;
    const send = (bytes: number, method: string, target: string, headers: string) =>
      ask({ url, method, target, headers, body: " ".repeat(bytes) }, ["HTTP/1.1", "Host: a.test\r\n"]);
    const isTooLarge = ({ status, headers, body }: RawResponse, maxBytes: number) => {
      const { error, request_id } = JSON.parse(body);
      const message = `expected a body of at most ${maxBytes} bytes`;
      expect([status, error]).toEqual([413, { code: "BODY_TOO_LARGE", message }]);
      expect([headers.get("content-type"), headers.get("x-request-id")]).toEqual(["application/json", request_id]);
      expectUsualHeaders(headers);
    };
    for (const [method, target, otherwise] of [
      ["GET", "/v1/devices?limit=1", 200],
      ["POST", "/v1/devices", 405],
      ["POST", "/v1/nothing", 404],
    ] as const) {
      expect((await send(1024 * 1024, method, target, headers)).status).toBe(otherwise);
      isTooLarge(await send(1024 * 1024 + 1, method, target, headers), 1024 * 1024);
    }
    // A message of an assistant has a limit of its own, once it is known whose it is.
    const json = "Content-Type: application/json\r\n";
    for (const bytes of [500_000, 1_500_000]) {
      isTooLarge(await send(bytes, "POST", "/mcp", headers + json), 64 * 1024);
      expect((await send(bytes, "POST", "/mcp", json)).status).toBe(401);
    }
    const counted = await (await fetch(`${server.ingestUrl}/metrics`)).text();
    expect(counted).toMatch(/odograph_errors_total\{[^}]*code="BODY_TOO_LARGE"[^}]*\} [1-9]/);
  });

  test("with bytes that are no text is answered in our own words", async () => {
    for (const url of [server.url, server.ingestUrl]) {
      for (const target of ["/\xff\xfe?\xe4=%zz", "/%zz?token=odi_x", "/..//../x", "//osmand?a"]) {
        for (const head of heads) {
          const response = await ask({ url, method: "GET", target }, head);
          expect([target, response.status]).toEqual([target, 404]);
          expect(JSON.parse(response.body).error.code).toBe("NOT_FOUND");
        }
      }
    }
  });
});
