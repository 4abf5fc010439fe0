import { describe, expect } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startOpenIdProvider } from "../../support/openid-provider.ts";
import { until } from "../../support/patience.ts";
import { ownerEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { type RunningProgram, startOdograph } from "../../support/program.ts";

const imei = "356307042441013";
const mistyped = "356307042441031";

interface EmptyServer {
  readonly program: RunningProgram;
  readonly link: string;
  close(): Promise<void>;
}

/** The real program on nothing, and the link that it gives. */
async function emptyServer(...further: readonly string[]): Promise<EmptyServer> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-setup-"));
  const ports = ["--port", "0", "--ingest-port", "0"];
  const program = await startOdograph(["serve", "--data", directory, ...ports, "--log-level", "error", ...further]);
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
      const { page, leave } = await given().visitor({ baseURL: program.url });
      // Without the link there is only the advice to look for it.
      await page.goto("/portal");
      await page.getByRole("heading", { name: "This server has no account yet" }).waitFor();
      expect(await page.content()).not.toContain(new URL(link).hash.slice(1));
      await expectNoBarriers(page, "a server without an account");

      await page.goto(link);
      await page.getByRole("heading", { name: "Set up Odograph" }).waitFor();
      expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
      await page.getByLabel("Name of the account").fill("Nordlicht Logistics");
      await page.getByLabel("Your name").fill("Olga Brandt");
      await page.getByLabel("E-mail").fill("olga@nordlicht.test");
      await page.getByLabel("Password", { exact: true }).fill("a fine long password");
      await page.getByLabel("Password again").fill("another fine password");
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByText("The two are not the same.").waitFor();
      await expectNoBarriers(page, "the form of the first account");
      await page.getByLabel("Password again").fill("a fine long password");
      await page.getByRole("button", { name: "Create the account" }).click();

      await page.getByRole("heading", { name: "Your first vehicle on the map" }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/portal/start");
      await expectNoBarriers(page, "the first steps");
      await page.getByLabel("Name of the vehicle").fill("Van 1");
      await page.getByLabel("IMEI of its tracker").fill("12");
      await page.getByRole("button", { name: "Add the vehicle" }).click();
      await page.locator(".problem").waitFor();
      await page.getByLabel("IMEI of its tracker").fill(mistyped);
      await page.getByRole("button", { name: "Add the vehicle" }).click();

      // It can be left, and taken up again.
      await page.getByText("Waiting for Van 1 to report").waitFor();
      await page.goto("/portal");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.goto("/portal/start");
      await page.getByRole("button", { name: "Make a token" }).click();
      const line = page.locator("[data-paste=terminal]");
      await page.getByText("curl", { exact: true }).click();
      await line.waitFor();
      await expectNoBarriers(page, "the lines for a tracker");
      const [token = ""] = /odoi_\w+|Bearer (\S+?)['"]/.exec((await line.textContent()) ?? "")?.slice(1) ?? [];
      const text = (await line.textContent()) ?? "";
      const [address = ""] = /http:\/\/[^\s'"]+\/frames/.exec(text) ?? [];
      expect([token.length > 20, address.length > 0]).toEqual([true, true]);

      const report = async (of: string, latitude: number) => {
        const frame = { imei: of, recorded_at: new Date().toISOString(), latitude, longitude: 13.405, speed_kmh: 40 };
        const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
        return (await fetch(address, { method: "POST", headers, body: JSON.stringify([frame]) })).json();
      };
      // The tracker has another IMEI than was typed: the page offers it.
      await report(imei, 52.52);
      await page.getByText(`A tracker with the IMEI ${imei} reports`).waitFor();
      await page.getByRole("button", { name: "It is in Van 1" }).click();
      await page.getByText(imei).first().waitFor();
      expect(await report(imei, 52.52)).toMatchObject({ accepted: 1 });
      await page.getByText("Van 1 is here").waitFor();
      await page.locator(".map[data-map=ready]").waitFor();
      const focusedAt = () => page.locator(".start-map .map").getAttribute("data-focused-at");
      await until(async () => ((await focusedAt()) ?? "") !== "");
      await expectNoBarriers(page, "the first vehicle on the map");

      // The dot moves.
      const moved = page.waitForResponse(async (response) => {
        if (!response.url().includes("/positions/latest")) return false;
        return (await response.text()).includes("52.523");
      });
      await report(imei, 52.523);
      await moved;
      await page.getByRole("link", { name: "Open the map" }).click();
      await page.getByRole("heading", { name: "Van 1" }).waitFor();

      // It is over for good.
      await page.context().clearCookies();
      await page.goto("/portal/sign-in");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.goto(link);
      await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
      await expectNoBarriers(page, "a link that was used");
      await leave();
      await close();
    });
  });

  describe("with an OpenID provider", () => {
    test("a person signs in there, is refused if nobody knows the e-mail, and lands where they wanted to go", async () => {
      const site = await given().beside();
      const provider = await startOpenIdProvider([site.origin]);
      await site.close();
      await provider.close();
    });
  });
}

export { ownerEmail };
