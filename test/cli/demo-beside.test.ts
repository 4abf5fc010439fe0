import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onEachEngine } from "../support/engines.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { patienceMs, until } from "../support/patience.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";

const form = {
  account_name: "Nordlicht",
  time_zone: "Europe/Berlin",
  name: "Olga",
  email: "olga@nordlicht.test",
  password: "a fine long password",
};

/** A week of a whole fleet is made meanwhile, by the same program. */
const makingMs = 4 * patienceMs;

/** The calls of one browser. */
function browserOf(url: string) {
  const cookies = new Map<string, string>();
  // biome-ignore lint/suspicious/noExplicitAny: any of the portal's answers
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = {
      "X-Odograph-Portal": "1",
      Origin: url,
      Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/portal/api${path}`, { method, headers, ...sent });
    // A test that asks until something is so asks more often than a person may.
    if (response.status === 429) return Bun.sleep(1_000).then(() => call(method, path, body));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response.status === 204 ? null : response.json();
  };
  return call;
}

async function linkIn(file: string): Promise<string> {
  const read = () => readFile(file, "utf8").catch(() => "");
  await until(async () => /#[\w-]{43}\n$/.test(await read()), makingMs);
  return (await read()).trim();
}

onEachEngine("a server whose owner wants to look at a made-up fleet", (engine) => {
  let server: MailServer;
  let program: RunningProgram;
  beforeAll(async () => {
    server = await startMailServer({ isPlain: true });
  });
  afterAll(() => server.close());

  test("makes one in an account of its own, mails nobody, drives on after a restart, and erases it", async () => {
    const { env, directory } = await engine.empty();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const start = async () => {
      const ports = ["--port", "0", "--ingest-port", "0", "--public-url", "http://127.0.0.1:1"];
      program = await startOdograph(["serve", "--data", directory, ...ports, ...mail, "--log-level", "error"], { env });
    };
    await start();
    const token = (await linkIn(join(directory, "setup-link"))).split("#")[1];
    let call = browserOf(program.url);
    expect((await call("POST", "/setup", { token, ...form })).user.email).toBe(form.email);
    expect((await call("GET", "/demo-account")).data).toEqual({ state: "none", is_offered: true });
    expect((await call("POST", "/demo-account", {})).data.state).toBe("making");
    await until(async () => (await call("GET", "/demo-account")).data.state === "ready", makingMs);

    const entered = await call("POST", "/demo-account/enter", {});
    expect([entered.account.name, entered.demo.may_leave]).toEqual(["Spreebogen Logistics", true]);
    const positions = async () => (await call("GET", "/data/positions/latest?limit=100")).data;
    await until(async () => (await positions()).length >= 40, makingMs);
    await until(async () => (await call("GET", "/kept-mails")).data.length > 0, makingMs);
    const { data: devices } = await call("GET", "/fleet/devices");
    expect(devices.some(({ last_seen_at }: { last_seen_at: string | null }) => last_seen_at === null)).toBe(true);
    expect((await call("GET", "/planned-reports")).data.length).toBe(3);
    expect((await call("GET", "/shares")).data.length).toBe(2);
    expect((await call("POST", "/demo-account/leave", {})).account.name).toBe("Nordlicht");
    // Nothing of it is in the owner's own account.
    expect((await call("GET", "/fleet/devices")).data).toEqual([]);
    expect((await call("GET", "/data/positions/latest")).data).toEqual([]);
    expect((await call("GET", "/kept-mails")).data).toEqual([]);

    // It goes on after a restart, by another token.
    expect((await program.stop()).code).toBe(0);
    await start();
    call = browserOf(program.url);
    await call("POST", "/session", { email: form.email, password: form.password });
    await call("POST", "/demo-account/enter", {});
    const newest = async () => {
      const times = (await positions()).map(({ received_at }: { received_at: string }) => Date.parse(received_at));
      return Math.max(...times);
    };
    const restartedAt = Date.now();
    await until(async () => (await newest()) > restartedAt, makingMs);
    await call("POST", "/demo-account/leave", {});

    expect((await call("DELETE", "/demo-account")).data.state).toBe("ending");
    await until(async () => (await call("GET", "/demo-account")).data.state === "none", makingMs);
    expect((await call("POST", "/demo-account/enter", {})).error.code).toBe("NOT_FOUND");
    expect(server.received.length).toBe(0);
    expect((await program.stop()).code).toBe(0);
  });
});
