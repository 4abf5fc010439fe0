import { expect, test } from "bun:test";
import { browserName } from "../../src/portal/browser-name.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { password, sharedPortal } from "../support/portal.ts";

const agents = {
  "Firefox · Windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Chrome · Android": "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36",
  "Edge · Windows": "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0",
  "Safari · iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1",
  "Safari · macOS": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15",
  "Chrome · ChromeOS": "Mozilla/5.0 (X11; CrOS x86_64 16000.0.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36",
  Linux: "SomethingElse/1.0 (Linux)",
} as const;

test("a browser is named in words, whatever it says of its ancestors", () => {
  for (const [name, agent] of Object.entries(agents)) expect(browserName(agent)).toBe(name);
  for (const unknown of [null, "", "curl/8.0", "<script>"]) expect(browserName(unknown)).toBeNull();
});

interface Listed {
  readonly session_id: string;
  readonly browser: string | null;
  readonly is_current: boolean;
}

onEachEngine("the sessions of a person", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are listed with their browsers, the present one marked, and are ended one by one or all others", async () => {
    const { node, store, users } = given();
    const world = node();
    const { browser, time } = world;
    const enter = async (agent: string) => {
      const made = browser();
      time.aheadMs += 1000;
      const credentials = { email: "anna@acme.example", password };
      expect((await made.post("/session", credentials, { "User-Agent": agent })).status).toBe(200);
      return made;
    };
    const [first, second, third] = [
      await enter(agents["Firefox · Windows"]),
      await enter(agents["Safari · iPhone"]),
      await enter("curl/8.0"),
    ];
    const listed = async (): Promise<Listed[]> => (await first.get("/sessions")).body.data;
    const all = await listed();
    expect(all.map((session) => [session.browser, session.is_current])).toEqual([
      [null, false],
      ["Safari · iPhone", false],
      ["Firefox · Windows", true],
    ]);
    expect(JSON.stringify(all)).not.toContain("token");
    expect((await first.change("DELETE", `/sessions/${all[1]?.session_id}`)).status).toBe(204);
    expect([(await second.get("/session")).status, (await third.get("/session")).status]).toEqual([401, 200]);
    expect((await first.change("DELETE", `/sessions/${all[1]?.session_id}`)).status).toBe(404);
    expect((await first.post("/sessions/end-others")).body).toEqual({ ended: 1 });
    expect([(await third.get("/session")).status, (await first.get("/session")).status]).toEqual([401, 200]);
    expect((await listed()).map((session) => session.is_current)).toEqual([true]);
    expect((await first.change("DELETE", "/session")).status).toBe(204);

    const rows = await store.database.all<{ action: string; details_json: string }>(sql`
      select action, details_json from audit_log where id = ${users.anna.id} and type = 'session' order by entry_id`);
    expect(rows.map(({ action }) => action)).toEqual([
      "session.started",
      "session.started",
      "session.started",
      "session.ended",
      "session.ended",
      "session.ended",
    ]);
    expect(JSON.parse(rows[4]?.details_json ?? "")).toEqual({ count: 1 });
  });

  test("are not shown to others, who cannot end them either", async () => {
    const { node } = given();
    const { signIn } = node();
    const [anna, ben, olga] = [
      await signIn("anna@acme.example"),
      await signIn("ben@acme.example"),
      await signIn("olga@acme.example"),
    ];
    const [own] = (await anna.get("/sessions")).body.data as Listed[];
    for (const other of [ben, olga]) {
      expect((await other.get("/sessions")).text).not.toContain(own?.session_id ?? "");
      expect((await other.change("DELETE", `/sessions/${own?.session_id}`)).status).toBe(404);
    }
    expect((await anna.get("/session")).status).toBe(200);
  });
});
