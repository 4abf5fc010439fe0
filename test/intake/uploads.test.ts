import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxBodyBytes } from "../../src/intake/messages.ts";
import { openDatabase } from "../../src/store/open.ts";
import { smallFleet } from "../support/fleet.ts";
import { loadIngestFleet } from "../support/ingest-fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { type IngestServer, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { exchange, type RawResponse, responsesIn } from "../support/raw-http.ts";

const megabyte = 1_000_000;

/** An upload that stops one byte before its end, or before its last chunk. */
class Upload {
  readonly #socket: Socket;
  readonly #text: Promise<string>;
  /** All of it is on its way, or it has been answered. */
  readonly sent: Promise<unknown>;
  isAnswered = false;
  /** Answered, or closed: on a busy machine the end of the connection may overtake the answer to what is still being sent. */
  isOver = false;

  constructor(url: string, path: string, headers: string, bytes: number, parts: "whole" | "chunked" = "whole") {
    const { hostname, port } = new URL(url);
    const length = parts === "whole" ? `Content-Length: ${bytes + 1}` : "Transfer-Encoding: chunked";
    const answered = Promise.withResolvers<string>();
    const flushed = Promise.withResolvers<void>();
    this.#socket = connect(Number(port), hostname, () => {
      this.#socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}${length}\r\n\r\n`);
      if (parts === "chunked") this.#socket.write(`${bytes.toString(16)}\r\n`);
      this.#socket.write(new Uint8Array(bytes).fill(0x20), () => flushed.resolve());
    });
    this.#socket.on("data", (chunk: Buffer) => {
      this.isAnswered = true;
      this.isOver = true;
      answered.resolve(chunk.toString("latin1"));
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.isOver = true;
      flushed.resolve();
    });
    this.#text = answered.promise;
    this.sent = Promise.race([flushed.promise, this.#text]);
  }

  async answer(): Promise<RawResponse | undefined> {
    return responsesIn(await this.#text)[0];
  }

  drop(): void {
    this.#socket.destroy();
  }
}

describe("uploads that are never finished", () => {
  let server: IngestServer;
  let bearer = "";
  let bearerOfColleague = "";
  let bearerOfOther = "";

  beforeAll(async () => {
    const directory = join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
    const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
    await loadIngestFleet(database);
    bearer = `Authorization: Bearer ${await tokenOf(database)}\r\n`;
    bearerOfColleague = `Authorization: Bearer ${await tokenOf(database)}\r\n`;
    bearerOfOther = `Authorization: Bearer ${await tokenOf(database, smallFleet.rival.id)}\r\n`;
    await database.close();
    server = await startServer({ env: { ODOGRAPH_DATA: directory } });
  });
  afterAll(async () => {
    for (const upload of begun) upload.drop();
    expect((await server.stop()).code).toBe(0);
  });

  const begun: Upload[] = [];
  function begin(...of: ConstructorParameters<typeof Upload>): Upload {
    const upload = new Upload(...of);
    begun.push(upload);
    return upload;
  }

  /** Of the page of metrics. */
  async function figure(series: string): Promise<number> {
    let text = "";
    // A server that is busy with uploads may have no page in time.
    await until(async () => {
      const response = await fetch(`${server.ingestUrl}/metrics`);
      text = await response.text();
      return response.ok;
    });
    return text
      .split("\n")
      .filter((line) => line.startsWith(series))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  }
  const aborted = () => figure('odograph_observations_total{kind="request_aborted"}');

  /** A list without frames, of so many bytes. */
  async function sendFrames(headers: string, bytes = 2): Promise<number | undefined> {
    const head = `POST /frames HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}Content-Length: ${bytes}\r\n\r\n`;
    return responsesIn(await exchange(server.ingestUrl, `${head}[${" ".repeat(bytes - 2)}]`))[0]?.status;
  }

  test("hold no more than one token's share, and no other token or account is refused for it", async () => {
    const before = await aborted();
    const refusedBefore = await figure('odograph_errors_total{side="ingest",code="TOO_MANY_UPLOADS"}');
    const uploads = Array.from({ length: 60 }, () => begin(server.ingestUrl, "/frames", bearer, 15.9 * megabyte));
    await Promise.all(uploads.map(({ sent }) => sent));
    // Some are on their way into the server still, until all but the share is refused.
    await until(async () => uploads.filter(({ isOver }) => !isOver).length <= 3);
    for (const upload of uploads.filter(({ isAnswered }) => isAnswered)) {
      const response = await upload.answer();
      expect([response?.status, response?.headers.get("retry-after")]).toEqual([429, "5"]);
      expect(JSON.parse(response?.body ?? "")).toMatchObject({ error: { code: "TOO_MANY_UPLOADS" } });
    }
    const held = uploads.filter(({ isOver }) => !isOver).length;
    expect(held).toBeGreaterThan(0);
    // 954 MB were sent.
    expect(await figure("process_resident_memory_bytes")).toBeLessThan(600 * megabyte);
    for (const headers of [bearerOfColleague, bearerOfOther]) {
      expect(await sendFrames(headers)).toBe(200);
      const large = begin(server.ingestUrl, "/frames", headers, 15 * megabyte);
      await large.sent;
      expect(large.isAnswered).toBe(false);
      uploads.push(large);
    }
    // It is the sender's doing, not the store's.
    const refused = await figure('odograph_errors_total{side="ingest",code="TOO_MANY_UPLOADS"}');
    expect(refused - refusedBefore).toBe(60 - held);
    expect(await figure('odograph_errors_total{side="ingest",code="STORE_')).toBe(0);
    expect(await figure('odograph_requests_total{route="ingest /frames",status="503"}')).toBe(0);
    for (const upload of uploads) upload.drop();
    // What they held is free again: a whole one of this size is taken in.
    await until(async () => (await sendFrames(bearer, 15.9 * megabyte)) === 200);
    expect(await aborted()).toBeGreaterThan(before);
  });

  test("are refused at the bound when nobody said how long they would be", async () => {
    const upload = begin(server.ingestUrl, "/frames", bearer, maxBodyBytes + 1, "chunked");
    const response = await upload.answer();
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([413, "BODY_TOO_LARGE"]);
    upload.drop();
  });

  test("to the portal are bounded, too", async () => {
    const post = ["/portal/api/session", "X-Odograph-Portal: 1\r\n"] as const;
    const before = await aborted();
    const uploads = Array.from({ length: 20 }, () => begin(server.url, ...post, megabyte));
    await until(async () => uploads.filter(({ isOver }) => isOver).length >= 12);
    for (const upload of uploads.filter(({ isAnswered }) => isAnswered)) {
      const response = await upload.answer();
      expect([response?.status, response?.headers.get("retry-after")]).toEqual([429, "5"]);
      expect(JSON.parse(response?.body ?? "")).toMatchObject({ error: { code: "TOO_MANY_UPLOADS" } });
    }
    const held = uploads.filter(({ isOver }) => !isOver).length;
    for (const upload of uploads) upload.drop();
    await until(async () => (await aborted()) === before + held);
    const large = await begin(server.url, ...post, 2 * megabyte).answer();
    expect([large?.status, JSON.parse(large?.body ?? "").error.code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("are no failure when the client drops them, neither in the metrics nor in the log", async () => {
    const failures = () =>
      Promise.all([
        figure('odograph_observations_total{kind="request_failed"}'),
        figure('odograph_request_seconds_count{route="ingest /frames"}'),
        figure('odograph_requests_total{route="/portal/api/session"'),
        figure('odograph_requests_total{route="ingest /frames"'),
      ]);
    const before = await failures();
    const abortedBefore = await aborted();
    const uploads = [
      begin(server.ingestUrl, "/frames", bearer, 100),
      begin(server.ingestUrl, "/frames", bearer, megabyte),
      begin(server.ingestUrl, "/frames", bearer, 100, "chunked"),
      begin(server.url, "/portal/api/session", "X-Odograph-Portal: 1\r\n", 100),
    ];
    await Promise.all(uploads.map(({ sent }) => sent));
    for (const upload of uploads) upload.drop();
    await until(async () => (await aborted()) === abortedBefore + uploads.length);
    expect(await failures()).toEqual(before);
  });
});
