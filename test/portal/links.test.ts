import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, password, sharedPortal } from "../support/portal.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function linkFor(olga: Browser, userId: string): Promise<string> {
  const { status, body } = await olga.post(`/fleet/users/${userId}/link`);
  expect(status).toBe(201);
  return body.link.url.split("#")[1];
}

onEachEngine("a link to a new password", (engine) => {
  const given = sharedPortal(engine, { isQuick: false });

  test("works once, signs in, and ends every other session of the user", async () => {
    const { node, users, store } = given();
    const { signIn, browser } = node();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const token = await linkFor(olga, users.anna.id);
    const shown = await browser().post("/link", { token });
    expect([shown.status, shown.body.data.purpose, shown.body.data.name]).toEqual([200, "reset", "Anna Ahlberg"]);
    // To look at it does not use it up.
    expect((await browser().post("/link", { token })).status).toBe(200);
    const elsewhere = browser();
    const used = await elsewhere.post("/link/use", { token, new_password: "another password" });
    expect([used.status, used.body.user.email]).toEqual([200, "anna@acme.example"]);
    expect([(await elsewhere.get("/session")).status, (await anna.get("/session")).status]).toEqual([200, 401]);
    const listed = (await elsewhere.get("/sessions")).body.data;
    expect(listed.map(({ via, is_current }: Record<string, unknown>) => [via, is_current])).toEqual([["link", true]]);
    const enter = (given: string) => browser().post("/session", { email: "anna@acme.example", password: given });
    expect([(await enter(password)).status, (await enter("another password")).status]).toEqual([401, 200]);
    // A fleet file no longer brings the old password back by itself.
    const managed = await store.database.get<{ managed_by: string }>(
      sql`select managed_by from record_revisions where type = 'user' and id = ${users.anna.id}`,
    );
    expect(managed?.managed_by).toBe("portal");
  });

  test("is answered in the same way if it is wrong, used, replaced, expired, or if its user is disabled", async () => {
    const { node, users } = given();
    const world = node();
    const { signIn, browser, time } = world;
    const olga = await signIn("olga@acme.example");
    const used = await linkFor(olga, users.ben.id);
    expect((await browser().post("/link/use", { token: used, new_password: "another password" })).status).toBe(200);
    const replaced = await linkFor(olga, users.ben.id);
    const good = await linkFor(olga, users.ben.id);
    const answers: unknown[] = [];
    const refused = async (token: string) => {
      for (const [path, body] of [
        ["/link", { token }],
        ["/link/use", { token, new_password: "yet another one" }],
      ] as const) {
        const { status, body: answer } = await browser(`198.51.100.${answers.length}`).post(path, body);
        answers.push([status, answer.error]);
      }
    };
    for (const token of [used, replaced, "A".repeat(43), "", "%00"]) await refused(token);
    time.aheadMs += dayMs;
    await refused(good);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject([404, { code: "NOT_FOUND" }]);
    expect((answers[0] as [number, { message: string }])[1].message).toContain("ask for a new one");
  });

  test("works no longer once its user has changed the password, or the owner has signed the user out", async () => {
    const { node, users } = given();
    const { signIn, browser } = node({ isQuick: true });
    const [olga, ben] = [await signIn("olga@acme.example"), await signIn("ben@acme.example")];
    const opens = async (token: string) => (await browser().post("/link", { token })).status;
    const first = await linkFor(olga, users.ben.id);
    expect(await opens(first)).toBe(200);
    const passwords = { current_password: password, new_password: "another password" };
    expect((await ben.post("/password", passwords)).status).toBe(204);
    expect(await opens(first)).toBe(404);
    const second = await linkFor(olga, users.ben.id);
    // Who only ends the others keeps what the owner gave.
    expect((await ben.post("/sessions/end-others")).status).toBe(200);
    expect(await opens(second)).toBe(200);
    const ended = await olga.post(`/fleet/users/${users.ben.id}/end-sessions`);
    expect([ended.status, ended.body.data.link]).toEqual([200, null]);
    expect(await opens(second)).toBe(404);
  });

  test("notes when its user signed in", async () => {
    const { node, users } = given();
    const { signIn, browser, time } = node();
    const olga = await signIn("olga@acme.example");
    time.aheadMs += hourMs;
    const before = Date.now() + hourMs;
    const token = await linkFor(olga, users.anna.id);
    expect((await browser().post("/link/use", { token, new_password: "another password" })).status).toBe(200);
    const people = (await olga.get("/fleet/users")).body.data;
    const anna = people.find(({ user_id }: { user_id: string }) => user_id === users.anna.id);
    expect(Date.parse(anna.last_login_at)).toBeGreaterThanOrEqual(before);
  });

  test("is used by one of two who try at once", async () => {
    const { node, users } = given();
    const nodes = [node(), node()];
    const olga = await (nodes[0]?.signIn("olga@acme.example") as Promise<Browser>);
    const token = await linkFor(olga, users.ben.id);
    const tries = nodes.map((one, index) => {
      return one.browser().post("/link/use", { token, new_password: `password number ${index}` });
    });
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test("cannot be guessed at speed, and nothing that was tried is in the log", async () => {
    const { node, users } = given();
    const { signIn, browser, observations } = node();
    const olga = await signIn("olga@acme.example");
    const token = await linkFor(olga, users.ben.id);
    const statuses: number[] = [];
    for (let index = 0; index < 25; index++) {
      const { status, headers } = await browser("203.0.113.9").post("/link", { token: "B".repeat(43) });
      statuses.push(status);
      if (status === 429) expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    // Others are not concerned.
    expect((await browser("203.0.113.10").post("/link", { token })).status).toBe(200);
    const log = JSON.stringify(observations);
    for (const secret of [token, "B".repeat(43)]) expect(log).not.toContain(secret);
  });

  test("is not asked for on a server without mail, and the page knows", async () => {
    const { browser } = given();
    expect((await browser().get("/sign-in")).body).toMatchObject({ sends_mail: false });
    const { status } = await browser().post("/password/forgotten", { email: "anna@acme.example" });
    expect(status).toBe(404);
  });
});
