import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { startWorld, stopWorld } from "../support/api-fleet.ts";
import { post, rpc, serveMcp } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";

onOneEngine("clients of /mcp that do not finish", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  /** Begins a message of the largest size, and leaves it at that. */
  function begin(url: URL): { readonly socket: Socket; readonly answer: () => string } {
    let answer = "";
    const head = [
      "POST /mcp HTTP/1.1",
      "Host: odograph.test",
      `X-API-Key: ${world().keys.olga}`,
      "Content-Type: application/json",
      `Content-Length: ${64 * 1024}`,
    ];
    const socket = connect(Number(url.port), url.hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n{`));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    return { socket, answer: () => answer };
  }

  test("one that breaks off is no failure", async () => {
    await using server = serveMcp(world().api);
    const { observations } = world().api;
    const seen = observations.length;
    const isSeen = () => observations.slice(seen).some(({ kind }) => kind === "request_aborted");
    // One that is gone before it was read is not seen at all.
    await until(async () => {
      const { socket } = begin(server.url);
      await Bun.sleep(20);
      socket.destroy();
      return isSeen();
    });
    expect(observations.slice(seen).filter(({ kind }) => kind === "request_failed")).toEqual([]);
  });

  test("those of one account cannot take all the memory, nor the place of others", async () => {
    await using server = serveMcp(world().api);
    const begun = Array.from({ length: 60 }, () => begin(server.url));
    await until(() => begun.some(({ answer }) => answer().includes("TOO_MANY_UPLOADS")));
    const refused = begun.find(({ answer }) => answer().includes("TOO_MANY_UPLOADS"))?.answer() ?? "";
    expect(refused).toStartWith("HTTP/1.1 429 ");
    expect(refused).toMatch(/^Retry-After: 5\r$/m);
    expect((await post(world().api, rpc("ping"), { key: world().keys.otto })).status).toBe(200);
    for (const { socket } of begun) socket.destroy();
    await until(async () => (await post(world().api, rpc("ping"), { key: world().keys.olga })).status === 200);
  });
});
