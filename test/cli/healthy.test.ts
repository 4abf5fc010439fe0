import { describe, expect, test } from "bun:test";
import { addressHere, serverOriginOf } from "../../src/cli/serving/address-here.ts";
import { onEachEngine } from "../support/engines.ts";
import { freePort, startServer } from "../support/ingest-server.ts";
import { until } from "../support/patience.ts";
import { runOdograph } from "../support/program.ts";
import { complaint, output } from "./outcome.ts";

onEachEngine("odograph healthy", (engine) => {
  test("says whether the server is ready: not while it drains, nor after its end", async () => {
    const store = await engine.fresh();
    const env = { ...store.env, ODOGRAPH_HOST: "0.0.0.0", ODOGRAPH_DRAIN_SECONDS: "600" };
    const server = await startServer({ env });
    const { port } = new URL(server.ingestUrl);
    const asked = { env: { ...env, ODOGRAPH_INGEST_PORT: port } };
    expect(await output(["healthy"], asked)).toBe(`${server.ingestUrl} is ready\n`);

    process.kill(server.pid, "SIGTERM");
    await server.logged("server_draining");
    await until(async () => (await runOdograph(["healthy"], asked)).code === 1);
    expect(await complaint(["healthy"], 1, asked)).toBe(`${server.ingestUrl} is not ready: draining`);
    await server.kill();
    expect(await complaint(["healthy"], 1, asked)).toBe(`${server.ingestUrl} is not ready: nothing listens there`);
  });
});

describe("odograph healthy", () => {
  test("believes only what a server of ours says, and repeats nothing else", async () => {
    const says = async (answer: () => Response | Promise<Response>) => {
      const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
      try {
        return (await complaint(["healthy", "--ingest-port", String(server.port)], 1)).replace(/^\S+ /, "");
      } finally {
        await server.stop(true);
      }
    };
    const [store, other, redirect, silent] = await Promise.all([
      says(() => Response.json({ status: "unavailable" }, { status: 503 })),
      says(() => new Response("ready\u001b[31m".repeat(10_000))),
      says(() => Response.redirect("http://127.0.0.1:1/ready")),
      says(() => new Promise<Response>(() => {})),
    ]);
    expect(store).toBe("is not ready: unavailable");
    expect(other).toBe("is not ready: something else answers there");
    expect(redirect).toBe("is not ready: something else answers there");
    expect(silent).toBe("is not ready: it did not answer within 3 seconds");
  });

  test("asks the server itself where the environment names a proxy", async () => {
    const ready = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ status: "ready" }) });
    const proxy = `http://127.0.0.1:${await freePort()}`;
    const env = { HTTP_PROXY: proxy, http_proxy: proxy, ODOGRAPH_INGEST_PORT: String(ready.port) };
    expect(await output(["healthy"], { env })).toBe(`http://127.0.0.1:${ready.port} is ready\n`);
    await ready.stop(true);
  });

  test("cannot ask at any free port", async () => {
    expect(await complaint(["healthy", "--ingest-port", "0"], 2)).toBe(
      "--ingest-port: name the server's port; 0 is any free one",
    );
  });
});

test("a server on all addresses is reached at this machine's own", () => {
  const hosts = ["0.0.0.0", "::", "::1", "10.0.0.7", "fleet.example"];
  expect(hosts.map((host) => addressHere(host, 8080))).toEqual([
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "http://[::1]:8080",
    "http://10.0.0.7:8080",
    "http://fleet.example:8080",
  ]);
  expect(serverOriginOf({ publicUrl: null, host: "0.0.0.0" }, "http://0.0.0.0")).toBe("http://127.0.0.1:80");
  expect(serverOriginOf({ publicUrl: "https://fleet.example", host: "::" }, "http://[::]:8080")).toBe(
    "https://fleet.example",
  );
});
