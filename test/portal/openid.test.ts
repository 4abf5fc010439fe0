import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Lie, startLyingProvider } from "../support/lying-provider.ts";
import { type OpenIdProviderUnderTest, startOpenIdProvider } from "../support/openid-provider.ts";
import { until } from "../support/patience.ts";
import { type Browser, sharedPortal } from "../support/portal.ts";

const portal = "http://odograph.test";
const elsewhere = "https://fleet.example";

let provider: OpenIdProviderUnderTest;

beforeAll(async () => {
  provider = await startOpenIdProvider(() => [portal, elsewhere]);
});

afterAll(() => provider.close());

/** From the button to the answer. */
async function signInAt(browser: Browser, login: string, next?: string) {
  let address: string | undefined;
  // On a busy machine the provider may answer too late; the next try asks it again.
  await until(async () => {
    ({ address } = (await browser.post("/openid/begin", { next })).body);
    return address !== undefined;
  });
  const parameters = await provider.signIn(address ?? "", login);
  return { answer: await finish(browser, parameters), parameters };
}

function finish(browser: Browser, parameters: URLSearchParams) {
  return browser.post("/openid/finish", { parameters: parameters.toString() });
}

onEachEngine("a sign-in at an OpenID provider", (engine) => {
  const given = sharedPortal(engine);
  const node = () => given().node({ openId: provider.settings });

  async function countSessions(): Promise<number> {
    const row = await given().store.database.get<{ n: number }>(sql`select count(*) as n from sessions`);
    return Number(row?.n);
  }

  test("finds the user by the e-mail that the provider has verified, and leads to where the person wanted to go", async () => {
    const { users } = given();
    const browser = node().browser();
    const { answer } = await signInAt(browser, users.anna.email.toUpperCase(), "/map?vehicle=1");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ session: { user: { user_id: users.anna.id } }, next: "/map?vehicle=1" });
    const [session, begun] = answer.headers.getSetCookie();
    expect(session).toMatch(/^odograph_session=[\w-]{43}; Path=\/portal; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    expect(begun).toStartWith("odograph_sign_in=; Path=/portal; Max-Age=0;");
    expect((await browser.get("/session")).body.user.user_id).toBe(users.anna.id);
    const { database } = given().store;
    const sessions = await database.all<{ via: string }>(
      sql`select via from sessions where user_id = ${users.anna.id}`,
    );
    expect(sessions).toContainEqual(expect.objectContaining({ via: "openid" }));
    const log = await database.all<{ actor_id: string; details_json: string }>(sql`
      select actor_id, details_json from audit_log where action = 'session.started' and id = ${users.anna.id}`);
    const logged = log.map(({ actor_id, details_json }) => ({ actor_id, via: JSON.parse(details_json).via }));
    expect(logged).toContainEqual({ actor_id: users.anna.id, via: "openid" });
  });

  test("lets a person without a password choose one, without asking for an old one", async () => {
    const { users, store, node } = given();
    const { database } = store;
    await database.transaction((tx) => tx.run(sql`update users set password_hash = null where id = ${users.otto.id}`));
    const { browser: visit } = node({ openId: provider.settings });
    const browser = visit();
    const { answer } = await signInAt(browser, users.otto.email);
    expect(answer.body.session.user).toMatchObject({ user_id: users.otto.id, has_password: false });
    const next = "one of my own";
    expect((await browser.post("/password", { new_password: next })).status).toBe(204);
    expect((await browser.get("/session")).body.user.has_password).toBe(true);
    expect((await visit().post("/session", { email: users.otto.email, password: next })).status).toBe(200);
    // From now on it is asked for.
    const refused = await browser.post("/password", { new_password: "another of my own" });
    expect(refused.body.error.fields).toHaveProperty("current_password");
  });

  test("confirms the address, to which alerts and reports may be mailed from then on", async () => {
    const { users, store, node } = given();
    const { database } = store;
    await database.transaction((tx) => tx.writeAny(sql`update users set confirmed_email = null`));
    const confirmed = () => database.all<{ id: string }>(sql`select id from users where confirmed_email = email`);
    const { browser } = node({ openId: provider.settings });
    expect((await signInAt(browser(), `unverified ${users.anna.email}`)).answer.status).not.toBe(200);
    expect(await confirmed()).toEqual([]);
    for (let time = 0; time < 2; time++) {
      expect((await signInAt(browser(), users.anna.email)).answer.status).toBe(200);
      expect(await confirmed()).toEqual([{ id: users.anna.id }]);
    }
    const log = await database.all<{ id: string; details_json: string }>(sql`
      select id, details_json from audit_log
      where account_id = ${users.anna.account_id} and action = 'email.confirmed'`);
    expect(log).toContainEqual({ id: users.anna.id, details_json: '{"via":"openid"}' });
  });

  test("works on another node than the one where it began, and ends the session that the browser had", async () => {
    const { users } = given();
    const browser = await given().signIn(users.olga.email);
    const before = browser.cookie;
    const first = node().browser();
    const { body } = await first.post("/openid/begin");
    const second = node().browser();
    second.signInCookie = first.signInCookie;
    second.cookie = before;
    expect((await finish(second, await provider.signIn(body.address, users.olga.email))).status).toBe(200);
    expect((await browser.get("/session")).status).toBe(401);
  });

  test("is refused in one way, for every reason: unverified, unknown, disabled, suspended, without an e-mail", async () => {
    const { users, node } = given();
    const { browser } = node({ openId: provider.settings });
    const logins = [
      `unverified ${users.olga.email}`,
      "nobody@acme.example",
      users.dora.email,
      users.clara.email,
      "nameless",
    ];
    const before = await countSessions();
    const answers = [];
    for (const login of logins) {
      const someone = browser();
      const { answer } = await signInAt(someone, login);
      const { status, body, headers } = answer;
      answers.push({ status, code: body.error.code, message: body.error.message, cookies: headers.getSetCookie() });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 403, code: "NO_SUCH_PERSON", cookies: [] });
    expect(await countSessions()).toBe(before);
    const made = await given().store.database.get<{ n: number }>(
      sql`select count(*) as n from users where email_key like 'nobody%'`,
    );
    expect(Number(made?.n)).toBe(0);
  });

  test("takes no other letter for the one that the user has, such as a Kelvin sign for a k", async () => {
    const { users, store, node } = given();
    const email = "kim@acme.example";
    const change = (to: string) =>
      store.database.transaction((tx) =>
        tx.run(sql`update users set email = ${to}, email_key = ${to}, last_login_at = null where id = ${users.ben.id}`),
      );
    await change(email);
    const { browser } = node({ openId: provider.settings });
    const { answer } = await signInAt(browser(), "\u212aim@acme.example");
    expect([answer.status, answer.body.error?.code]).toEqual([403, "NO_SUCH_PERSON"]);
    const at = () =>
      store.database.get<{ last_login_at: number | null }>(
        sql`select last_login_at from users where id = ${users.ben.id}`,
      );
    expect((await at())?.last_login_at).toBeNull();
    expect((await signInAt(browser(), "Kim@acme.example")).answer.status).toBe(200);
    expect((await at())?.last_login_at).not.toBeNull();
    await change(users.ben.email);
  });

  // The rest is between us, the browser and the provider: the store is not asked in another way.
  if (engine.name === "postgres") return;

  test("is offered where it is configured, and nowhere else", async () => {
    expect((await node().browser().get("/sign-in")).body).toMatchObject({ openid: { name: "Test Works" } });
    const plain = given().browser();
    expect((await plain.get("/sign-in")).body).toMatchObject({ openid: null });
    expect((await plain.post("/openid/begin")).status).toBe(404);
    expect((await plain.post("/openid/finish", { parameters: "" })).status).toBe(404);
  });

  test("cannot be finished by another browser, with another state, or a second time", async () => {
    const { users } = given();
    const { browser } = node();
    const unfinished = { error: { code: "SIGN_IN_UNFINISHED" } };
    const owner = browser();
    const { body } = await owner.post("/openid/begin");
    const parameters = await provider.signIn(body.address, users.olga.email);
    const asked = provider.tokensAsked();

    // Someone is lured to the address that ends another's sign-in.
    const lured = browser();
    expect((await finish(lured, parameters)).body).toMatchObject(unfinished);
    await lured.post("/openid/begin");
    expect((await finish(lured, parameters)).body).toMatchObject(unfinished);
    const forged = new URLSearchParams(parameters);
    forged.set("state", "another");
    expect((await finish(owner, forged)).body).toMatchObject(unfinished);
    const sealed = owner.signInCookie;
    owner.signInCookie = sealed?.replace(/.(?=.{9}$)/, (letter) => (letter === "A" ? "B" : "A")) ?? null;
    expect((await finish(owner, parameters)).body).toMatchObject(unfinished);
    // Not even the provider was asked.
    expect(provider.tokensAsked()).toBe(asked);

    owner.signInCookie = sealed;
    expect((await finish(owner, parameters)).status).toBe(200);
    owner.signInCookie = sealed;
    const again = await finish(owner, parameters);
    expect([again.status, again.body.error.code]).toEqual([400, "SIGN_IN_UNFINISHED"]);
  });

  test("is too old after a quarter of an hour", async () => {
    const { time, browser } = node();
    const someone = browser();
    const { body } = await someone.post("/openid/begin");
    const parameters = await provider.signIn(body.address, given().users.olga.email);
    time.aheadMs += 15 * 60_000;
    expect((await finish(someone, parameters)).body.error.code).toBe("SIGN_IN_UNFINISHED");
  });

  test("that was cancelled at the provider can be begun again", async () => {
    const { users } = given();
    const browser = node().browser();
    const { body } = await browser.post("/openid/begin");
    const state = new URL(body.address).searchParams.get("state") ?? "";
    const cancelled = new URLSearchParams({ error: "access_denied", state, iss: provider.origin });
    expect((await finish(browser, cancelled)).body.error.code).toBe("SIGN_IN_UNFINISHED");
    expect((await signInAt(browser, users.ben.email)).answer.status).toBe(200);
  });

  test("is refused if the answer names another issuer", async () => {
    const browser = node().browser();
    const { body } = await browser.post("/openid/begin");
    const parameters = await provider.signIn(body.address, given().users.olga.email);
    parameters.set("iss", "https://evil.example");
    const { status, body: refusal } = await finish(browser, parameters);
    expect([status, refusal.error.code, refusal.error.message]).toEqual([
      403,
      "INVALID_ID_TOKEN",
      "the provider's answer is of another issuer",
    ]);
    expect(browser.cookie).toBeNull();
  });

  test("is refused for what is wrong with the ID token, which the log has as well", async () => {
    await using liar = startLyingProvider(given().users.olga.email);
    const { browser, observations } = given().node({ openId: liar.settings });
    const past = Math.floor(Date.now() / 1000) - 3_600;
    const shared = "is signed with HS256: choose an asymmetric key such as RS256 at the provider";
    const announced = (alg: string) => ({
      header: { alg },
      metadata: { id_token_signing_alg_values_supported: [alg] },
    });
    const lies: [words: string, lie: Lie][] = [
      ["has a wrong signature", { isForged: true }],
      ["is signed with a key that the provider did not publish when last asked; try again", { header: { kid: "2" } }],
      ["is of another sign-in (nonce)", { claims: { nonce: "another" } }],
      ["is for another client (audience)", { claims: { aud: "another" } }],
      ["is of another issuer", { claims: { iss: "https://evil.example" } }],
      ["has expired; compare the clocks of both machines", { claims: { iat: past, exp: past + 60 } }],
      ["lacks a claim (exp)", { claims: { exp: undefined } }],
      ["has a claim of the wrong type (exp)", { claims: { exp: "tomorrow" } }],
      ["has a claim of the wrong type (sub)", { claims: { sub: 1 } }],
      ["has no claims that can be read", { idToken: (right) => right.replace(/\..*\./, ".e30x.") }],
      [shared, { header: { alg: "HS256" }, secret: () => liar.settings.clientSecret ?? "" }],
      [shared, { header: { alg: "HS256" }, secret: (publicKey) => publicKey }],
      [shared, { ...announced("HS256"), secret: () => liar.settings.clientSecret ?? "" }],
      ["is not signed", { header: { alg: "none" }, idToken: (right) => right.replace(/[^.]*$/, "") }],
      ["is not signed", { ...announced("none"), idToken: (right) => right.replace(/[^.]*$/, "") }],
      ["is signed with RS512, which the provider does not announce", { header: { alg: "RS512" } }],
      ["is signed with ES256K, which is not supported", announced("ES256K")],
      ["is signed with an unknown algorithm, which the provider does not announce", { header: { alg: "<b> " } }],
      ["needs an extension that is not supported (crit)", { header: { crit: ["b64"], b64: true } }],
      ["is encrypted, which is not supported", { idToken: () => "a.b.c.d.e" }],
      ["is not an ID token", { idToken: () => "garbage" }],
      ["is not an ID token", { idToken: () => "gar.ba.ge" }],
      ["has no ID token", { idToken: () => undefined }],
      ["cannot be checked: the provider names no keys (jwks_uri)", { metadata: { jwks_uri: undefined } }],
      ["is of another person than the ID token (sub)", { claims: { email: undefined }, userinfo: { sub: "2" } }],
    ];
    for (const [words, lie] of lies) {
      liar.lie = lie;
      const someone = browser();
      const { body } = await someone.post("/openid/begin");
      const answer = await finish(someone, liar.signIn(body.address));
      const message = `the provider's answer ${words}`;
      expect([answer.status, answer.body.error]).toEqual([403, { code: "INVALID_ID_TOKEN", message }]);
      expect(someone.cookie).toBeNull();
      const logged = observations.findLast(({ kind }) => kind === "openid_failed");
      expect(JSON.stringify(logged)).toContain(JSON.stringify(message).slice(1, -1));
      expect(JSON.stringify(logged)).not.toContain("eyJ");
    }
    const signIn = async () => {
      const someone = browser();
      const { body } = await someone.post("/openid/begin");
      return (await finish(someone, liar.signIn(body.address))).status;
    };
    liar.lie = {};
    expect(await signIn()).toBe(200);
    // A new key is asked for by the next sign-in.
    liar.lie = { keyId: "2" };
    expect([await signIn(), await signIn()]).toEqual([403, 200]);
  });

  test("leads to our own paths only", async () => {
    const { users } = given();
    const others = [
      ...["https://evil.example", "//evil.example", "/\\evil.example", "map", "/a\nb", 7],
      ...["/..//evil.example", "/../evil.example", "/%2e%2e//evil.example", "/.%2E/", "/map/..//..//evil.example"],
      ...["/map//evil.example", "/map/\\evil.example", "/..\\evil.example"],
    ];
    for (const next of others) {
      const browser = node().browser();
      const { answer } = await signInAt(browser, users.anna.email, next as string);
      expect([answer.status, answer.body.next]).toEqual([200, null]);
    }
  });

  test("asks with PKCE, and comes back to the address of the settings", async () => {
    const { node } = given();
    const begin = async (publicUrl?: string) => {
      const { browser } = node({ openId: provider.settings, ...(publicUrl ? { publicUrl } : {}) });
      return new URL((await browser().post("/openid/begin")).body.address).searchParams;
    };
    expect((await begin()).get("redirect_uri")).toBe(`${portal}/portal/openid`);
    const set = await begin(elsewhere);
    expect(set.get("redirect_uri")).toBe(`${elsewhere}/portal/openid`);
    expect(set.get("code_challenge_method")).toBe("S256");
    expect([set.get("response_type"), set.get("scope")]).toEqual(["code", "openid email"]);
  });

  test("does not keep anybody from signing in with a password while the provider is away", async () => {
    const { users, node } = given();
    const away = await startOpenIdProvider(() => [portal]);
    const settings = away.settings;
    await away.close();
    const { browser, observations } = node({ openId: settings, isQuick: true });
    const someone = browser();
    const { status, body } = await someone.post("/openid/begin");
    expect([status, body.error.code]).toEqual([503, "PROVIDER_UNAVAILABLE"]);
    expect(observations).toContainEqual(expect.objectContaining({ kind: "openid_failed" }));
    expect(JSON.stringify(observations)).not.toContain(settings.clientSecret);
    const credentials = { email: users.olga.email, password: "correct horse" };
    expect((await someone.post("/session", credentials)).status).toBe(200);
  });

  test("is refused while the provider calls itself otherwise, and works as soon as it does not", async () => {
    const { node, users } = given();
    const discovery = "/.well-known/openid-configuration";
    let issuer: string | null = null;
    // Passes all on, under another name at first.
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        expect(new URL(request.url).pathname).toBe(discovery);
        const metadata = (await (await fetch(provider.origin + discovery)).json()) as object;
        return Response.json({ ...metadata, issuer: issuer ?? "https://evil.example" });
      },
    });
    const settings = { ...provider.settings, issuer: server.url.origin };
    const { browser, observations } = node({ openId: settings });
    expect((await browser().post("/openid/begin")).body.error.code).toBe("PROVIDER_UNAVAILABLE");
    expect(observations).toContainEqual(expect.objectContaining({ kind: "openid_failed" }));
    issuer = server.url.origin;
    const someone = browser();
    await until(async () => (await someone.post("/openid/begin")).status === 200);
    // The answers still come from another issuer than the one of the settings.
    const { answer } = await signInAt(someone, users.olga.email);
    expect([answer.status, someone.cookie]).toEqual([403, null]);
    await server.stop(true);
  });

  test("that leads to nobody is limited by address", async () => {
    const { browser } = node();
    const codes = new Set<string>();
    // On a slow machine some attempts grow back meanwhile.
    for (let attempt = 0; attempt < 200 && !codes.has("TOO_MANY_ATTEMPTS"); attempt++) {
      codes.add((await signInAt(browser(), "nobody@acme.example")).answer.body.error.code);
    }
    expect([...codes]).toEqual(["NO_SUCH_PERSON", "TOO_MANY_ATTEMPTS"]);
    const { answer } = await signInAt(browser("198.51.100.7"), given().users.anna.email);
    expect(answer.status).toBe(200);
  });
});
