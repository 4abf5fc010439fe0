import { describe, expect } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startOpenIdProvider } from "../../support/openid-provider.ts";
import { until } from "../../support/patience.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { type RunningProgram, startOdograph } from "../../support/program.ts";

export const account = {
  account_name: "Nordlicht Logistics",
  time_zone: "Europe/Berlin",
  name: "Olga Brandt",
  email: "olga@nordlicht.test",
  password: "a fine long password",
};
const imei = "356307042441013";
const mistyped = "356307042441031";

interface EmptyServer {
  readonly program: RunningProgram;
  readonly link: string;
  close(): Promise<void>;
}

/** The real program on nothing, and the link that it gives. */
export async function emptyServer(
  further: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<EmptyServer> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-setup-"));
  const ports = ["--port", "0", "--ingest-port", "0"];
  const program = await startOdograph(["serve", "--data", directory, ...ports, "--log-level", "error", ...further], {
    env,
  });
  const file = join(directory, "setup-link");
  await until(async () => existsSync(file) && (await readFile(file, "utf8")).endsWith("\n"));
  return {
    program,
    link: (await readFile(file, "utf8")).trim(),
    async close() {
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function testSetup(given: () => PortalSite): void {
  describe("on a server without an account", () => {
    test("a person comes from the link to a moving dot, without a file", async () => {
      const { program, link, close } = await emptyServer();
      const { page, leave } = await given().visitor({ baseURL: program.url, alsoAsks: [program.url] });
      // Without the link there is only the advice to look for it.
      await page.goto("/portal");
      await page.getByRole("heading", { name: "This server has no account yet" }).waitFor();
      expect(await page.content()).not.toContain(new URL(link).hash.slice(1));
      await expectNoBarriers(page, "a server without an account");

      await page.goto(link);
      await page.getByRole("heading", { name: "Set up Odograph" }).waitFor();
      expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
      await page.getByLabel("Name of the account").fill(account.account_name);
      await page.getByLabel("Your name").fill(account.name);
      await page.getByLabel("E-mail").fill(account.email);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByLabel("Password again").fill("another fine password");
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByText("The two passwords differ.").waitFor();
      await expectNoBarriers(page, "the form of the first account");
      await page.getByLabel("Password again").fill(account.password);
      await page.getByRole("button", { name: "Create the account" }).click();

      await page.getByRole("heading", { name: "Your first vehicle on the map" }).waitFor();
      const { pathname, hash } = await addressOf(page);
      expect(pathname + hash).toBe("/portal/start");
      await page.getByRole("heading", { name: "What do you have?" }).waitFor();
      await expectNoBarriers(page, "what a newcomer has");
      await page.getByRole("button", { name: "Another gateway" }).click();
      await page.getByRole("button", { name: "Something else" }).click();
      await page.getByRole("button", { name: "Another gateway" }).click();
      await page.getByLabel("Name", { exact: true }).waitFor();
      await expectNoBarriers(page, "the first steps");
      await page.getByLabel("Name", { exact: true }).fill("Van 1");
      await page.getByLabel("IMEI of the tracker").fill("12");
      await page.getByRole("button", { name: "Add the vehicle" }).click();
      await page.locator(".problem").waitFor();
      await page.getByLabel("IMEI of the tracker").fill(mistyped);
      await page.getByRole("button", { name: "Add the vehicle" }).click();

      // It can be left, and taken up again.
      await page.getByText("Waiting for Van 1 to report").waitFor();
      await page.goto("/portal");
      await page.getByRole("heading", { level: 1 }).waitFor();
      const goOn = page.getByRole("link", { name: "Continue with the first steps" });
      for (const view of ["/fleet/vehicles", "/yesterday", "/map"]) {
        await page.goto(`/portal${view}`);
        await goOn.waitFor();
        await expectNoBarriers(page, `${view} before the first report`);
      }
      expect(await page.getByText("ingest port").count()).toBe(0);
      await page.getByRole("link", { name: "Trackers" }).waitFor();
      await goOn.click();
      await page.getByText("Waiting for Van 1 to report").waitFor();
      await page.getByRole("button", { name: "Make a token" }).click();
      const line = page.getByTestId("paste-terminal");
      await page.getByText("curl", { exact: true }).click();
      await line.waitFor();
      await expectNoBarriers(page, "the lines for a tracker");
      const text = (await line.textContent()) ?? "";
      const [token = ""] = /odi_\w+/.exec(text) ?? [];
      const [address = ""] = /http:\/\/[^\s'"]+\/frames/.exec(text) ?? [];

      const report = async (latitude: number, secondsAgo: number) => {
        const recorded_at = new Date(Date.now() - 1000 * secondsAgo).toISOString();
        const frame = { imei, recorded_at, latitude, longitude: 13.405, speed_kmh: 20 };
        const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
        const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify([frame]) });
        return (await answer.json()) as { accepted: number };
      };
      // The tracker has another IMEI than was typed: the page offers it.
      await report(52.52, 61);
      await page.getByText(`A tracker with the IMEI ${imei} reports`).waitFor();
      await page.getByRole("button", { name: "It is in Van 1" }).click();
      await page.getByText(`A tracker with the IMEI ${imei} reports`).waitFor({ state: "detached" });
      await page.getByText(imei).first().waitFor();
      // The ingest side knows it a moment later.
      await until(async () => (await report(52.52, 60)).accepted === 1);
      await page.getByTestId("here").getByText("Van 1 is here").waitFor();
      await page.locator(".map[data-map=ready]").waitFor();
      const focusedAt = () => page.locator(".start-map .map").getAttribute("data-focused-at");
      await until(async () => ((await focusedAt()) ?? "") !== "");
      await expectNoBarriers(page, "the first vehicle on the map");

      // The dot moves.
      const moved = page.waitForResponse(async (response) => {
        if (!response.url().includes("/positions/latest")) return false;
        return (await response.text()).includes("52.523");
      });
      await report(52.523, 0);
      await moved;
      await page.getByRole("link", { name: "Open the map" }).click();
      await page.getByRole("heading", { name: "Van 1" }).waitFor();

      // It is over for good.
      await page.context().clearCookies();
      await page.goto("/portal/sign-in");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.goto(link);
      await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
      await leave();
      await close();
    });
  });

  describe("with an OpenID provider on another site", () => {
    test("a person is refused with an e-mail that nobody has, then signs in and lands where they wanted to go", async () => {
      let portal = "";
      const provider = await startOpenIdProvider(() => [portal]);
      const { issuer, clientId, clientSecret, name } = provider.settings;
      const flags = ["--oidc-issuer", issuer, "--oidc-client-id", clientId, "--oidc-name", name];
      const { program, link, close } = await emptyServer(flags, { ODOGRAPH_OIDC_CLIENT_SECRET: clientSecret ?? "" });
      portal = program.url;
      const { page, leave } = await given().visitor({ baseURL: portal, alsoAsks: [portal, provider.origin] });
      const headers = { "X-Odograph-Portal": "1", Origin: portal };
      const data = { ...account, token: new URL(link).hash.slice(1) };
      expect((await page.request.post("/portal/api/setup", { data, headers })).status()).toBe(201);
      await page.context().clearCookies();

      const signInAs = async (login: string) => {
        await page.getByRole("button", { name: "Sign in with Test Works" }).click();
        await page.getByLabel("Login").fill(login);
        await page.getByRole("button", { name: "Continue" }).click();
      };
      await page.goto("/portal/keys");
      await page.getByRole("button", { name: "Sign in with Test Works" }).waitFor();
      await expectNoBarriers(page, "the sign-in with a provider");
      await signInAs("nobody@nordlicht.test");
      await page.getByRole("alert").getByText("No user has this e-mail.").waitFor();
      const { pathname, search } = await addressOf(page);
      expect(pathname + search).toBe("/portal/sign-in");

      // The provider remembers who they are; another person signs in with another browser.
      await page.context().clearCookies();
      await page.goto("/portal/keys");
      await signInAs(account.email);
      await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
      expect((await addressOf(page)).href).toBe(`${portal}/portal/keys`);
      await page.reload();
      await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();

      // No address leads from the sign-in to another site, or out of the portal.
      await page.context().clearCookies();
      await page.goto(`/portal/sign-in?then=${encodeURIComponent("/..//evil.example")}`);
      await signInAs(account.email);
      await page.getByRole("navigation").first().waitFor();
      const reached = await addressOf(page);
      expect([reached.origin, reached.pathname]).toEqual([portal, expect.stringMatching(/^\/portal\/\w/)]);

      // While it is away, passwords still work.
      await provider.close();
      await page.context().clearCookies();
      await page.goto("/portal/keys");
      await page.getByLabel("E-mail").fill(account.email);
      await page.getByLabel("Password").fill(account.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
      // The address of a person who is signed in already leads nowhere else, either.
      await page.goto(`/portal/sign-in?then=${encodeURIComponent("/..//evil.example")}`);
      await page.waitForURL(/\/portal\/(?!sign-in)\w/);
      await leave();
      await close();
    });
  });
}
