import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import Provider from "oidc-provider";
import type { OpenIdSettings } from "../../src/portal/openid/provider.ts";

const client = { client_id: "odograph", client_secret: "a secret of the tests, long enough" };

export interface OpenIdProviderUnderTest {
  readonly settings: OpenIdSettings;
  readonly origin: string;
  /** Signs in there as a person without a browser. Returns the parameters with which it sends people back. */
  signIn(address: string, login: string): Promise<URLSearchParams>;
  /** How often its token endpoint was asked. */
  tokensAsked(): number;
  close(): Promise<void>;
}

/** Who signs in as `unverified NAME` has an e-mail that nobody has checked; as `nameless`, none. */
function claimsOf(login: string) {
  if (login === "nameless") return { sub: login };
  const [, email = login] = /^unverified (.*)$/.exec(login) ?? [];
  return { sub: login, email, email_verified: email === login };
}

/**
 * A real provider, on a site of its own: 127.0.0.2 is another than that of the portal. It learns where the portal is when it
 * is first asked.
 */
export async function startOpenIdProvider(portalOrigins: () => readonly string[]): Promise<OpenIdProviderUnderTest> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const origin = `http://127.0.0.2:${address.port}`;
  // On a busy machine it takes longer to make a key than the portal waits for an answer.
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let made: Provider | null = null;
  const providerNow = () => {
    const redirect_uris = portalOrigins().map((portal) => `${portal}/portal/openid`);
    made ??= quietly(() => makeProvider(origin, redirect_uris, privateKey));
    return made;
  };
  let tokensAsked = 0;
  server.on("request", async (request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    if (path === "/token") tokensAsked++;
    const provider = providerNow();
    if (!path.startsWith("/interaction/")) return provider.callback()(request, response);
    if (request.method !== "POST") return response.setHeader("Content-Type", "text/html").end(loginPage);
    const login = await loginIn(request);
    await provider.interactionFinished(request, response, { login: { accountId: login } });
  });
  return {
    origin,
    settings: { issuer: origin, clientId: client.client_id, clientSecret: client.client_secret, name: "Test Works" },
    signIn,
    tokensAsked: () => tokensAsked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const loginPage = `<!doctype html><html lang="en"><title>Test Works</title><link rel="icon" href="data:,">
<form method="post"><label>Login <input name="login"></label><button>Continue</button></form></html>`;

async function loginIn(request: IncomingMessage): Promise<string> {
  return new URLSearchParams(await text(request)).get("login") ?? "";
}

function makeProvider(origin: string, redirect_uris: readonly string[], privateKey: KeyObject): Provider {
  return new Provider(origin, {
    clients: [{ ...client, redirect_uris, response_types: ["code"], grant_types: ["authorization_code"] }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key of the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AuthorizationCode: 60, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => claimsOf(id) }),
    // Nobody is asked whether the portal may know the e-mail.
    async loadExistingGrant(context: {
      oidc: { provider: Provider; session: { accountId: string }; client: { clientId: string } };
    }) {
      const { provider, session, client } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
}

/** It warns of being used as it is used in tests. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

/** Follows the provider's redirects as a browser does, through its form, up to the one that leads back. */
async function signIn(address: string, login: string): Promise<URLSearchParams> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let next = new URL(address);
  for (let step = 0; step < 10; step++) {
    const isForm = next.pathname.startsWith("/interaction/");
    const response = await fetch(next, {
      redirect: "manual",
      headers: { Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(isForm ? { method: "POST", body: new URLSearchParams({ login }) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("Location");
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    next = new URL(location, next);
    if (next.origin !== origin) return next.searchParams;
  }
  throw new Error("the provider does not send people back");
}
