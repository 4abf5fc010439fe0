import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { addressOf } from "../../support/browser-moves.ts";
import { hourMs } from "../../support/fleet.ts";
import { ownerEmail, playedBack, portalPassword } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { account, emptyServer } from "./setup.ts";

/** The main action of a view, for the owner of the fleet, who is at `/portal` and the path. */
type Opened = (page: Page, site: PortalSite) => Promise<void>;

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const named = (page: Page, name: string) => page.getByLabel("Name", { exact: true }).fill(name);

/** A report shows rows, and its order is changed by a click. */
async function report(page: Page): Promise<void> {
  await page.locator(".report-table tbody tr").first().waitFor();
  await page.locator(".report-table thead button").first().click();
  await page.waitForURL(/[?&]sort=/);
}

/** Every view, and every tab that has an address: what a person does there first. The long stories are in the other files. */
export const openedViews: Readonly<Record<string, Opened>> = {
  "/yesterday": async (page) => {
    await page.locator(".fleet-totals dd").first().waitFor();
    await row(page, playedBack.name).getByRole("link").first().click();
    await page.waitForURL(/\/portal\/map\//);
  },
  "/map": async (page) => {
    await page.getByLabel(/Search/).fill("hh nl 107");
    await press(page, /Atlas 02/);
    await page.getByRole("complementary").getByText("Offline").waitFor();
  },
  [`/map/${playedBack.id}`]: async (page, { now }) => {
    await page.getByRole("heading", { name: playedBack.name }).waitFor();
    await page.goto(`/portal/map/${playedBack.id}?day=${formatInstant(now - 24 * hourMs).slice(0, 10)}`);
    await page.locator(".story-trip").first().waitFor();
    const slider = page.getByLabel("Time of the day");
    const begin = await slider.getAttribute("aria-valuetext");
    await press(page, "Play");
    await page.locator(`.player-slider:not([aria-valuetext="${begin}"])`).waitFor();
  },
  "/alerts": async (page) => {
    const first = page.locator("[data-alert]").first();
    await first.getByRole("button", { name: /^Acknowledge/ }).click();
    await first.getByText("Acknowledged by Olga Brandt").waitFor();
  },
  "/reports": report,
  "/reports/trips": report,
  "/reports/mileage": report,
  "/reports/stops": report,
  "/reports/crossings": report,
  "/reports/alerts": report,
  "/reports/sensors": async (page) => {
    await page.getByLabel("Vehicle", { exact: true }).first().waitFor();
  },
  "/keys": async (page, { origin }) => {
    await press(page, /^Create (a|the first) key$/);
    await page.getByLabel("Name").fill("Dispatch board");
    await press(page, "Choose all");
    await press(page, "Create the key");
    const key = await page.getByTestId("made-key").innerText();
    const answer = await fetch(`${origin}/v1/devices?limit=1`, { headers: { "X-API-Key": key } });
    expect(answer.status).toBe(200);
  },
  "/shares": async (page, site) => {
    await press(page, "Share vehicles");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order 4711");
    await page.getByRole("dialog").locator(".assign-list input").first().check();
    await press(page, "Make the link");
    const visitor = await site.visitor();
    await visitor.page.goto(await page.getByTestId("made-link").innerText());
    await visitor.page.locator(".share-vehicle").waitFor();
  },
  "/mails": async (page) => {
    await page.getByRole("heading", { name: "Mails", level: 1 }).waitFor();
    await page.getByText("No mails yet").waitFor();
  },
  "/usage": async (page) => {
    await page.getByLabel("Period").selectOption("7");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  },
  "/account": async (page) => {
    await page.getByLabel("Name of the account").fill("Nordlicht North");
    await press(page, "Save");
    await page.getByText("Changed here.").waitFor();
  },
  "/start": async (page) => {
    await page.getByRole("heading", { name: "Your first vehicle on the map" }).waitFor();
  },
  "/fleet": async (page) => {
    await page.locator(".vehicle-table").waitFor();
  },
  "/fleet/vehicles": async (page) => {
    await press(page, "Edit Ceres 01");
    await page.getByRole("dialog").getByLabel("Plate").fill("HH NL 999");
    await press(page, "Save");
    await row(page, "HH NL 999").waitFor();
  },
  "/fleet/people": async (page) => {
    await press(page, "Invite a person");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Eve Ekman");
    await dialog.getByLabel("E-mail").fill("eve@nordlicht.test");
    await press(page, "Make the invitation");
    await page.getByTestId("made-link").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.locator(".person-card", { hasText: "Eve Ekman" }).getByText("Invited").waitFor();
  },
  "/fleet/drivers": async (page) => {
    await page.getByRole("link", { name: "Drivers" }).waitFor();
  },
  "/fleet/fences": async (page) => {
    await press(page, /Depot Hamburg/);
    await named(page, "Depot South");
    await press(page, "Save");
    await page.getByRole("heading", { name: "Depot South" }).waitFor();
  },
  "/fleet/rules": async (page) => {
    const speeding = page.locator("tr[data-type=speeding]");
    await speeding.getByRole("button", { name: /^(Change|Switch on)/ }).click();
    await page.getByLabel("Raise this alert").check();
    await page.getByLabel("Speed limit (km/h)").fill("85");
    await press(page, "Save");
    await speeding.getByText("Above 85 km/h", { exact: true }).waitFor();
  },
  "/fleet/trackers": async (page) => {
    await press(page, "Create the first token");
    await page.getByLabel("Name").fill("Gateway North");
    await press(page, "Create the token");
    await page.getByRole("dialog").getByRole("combobox", { name: "Vehicle" }).waitFor();
  },
  "/fleet/connect": async (page) => {
    await page.getByLabel("Search for a model").fill("fmb 920");
    await press(page, "FMB920");
    await page.getByTestId("line-server").waitFor();
  },
  "/fleet/streets": async (page) => {
    await page.getByRole("heading", { name: "Streets", exact: true }).first().waitFor();
    await page
      .getByText(/^Set up by the people who run this server|^1\. Get a file/)
      .first()
      .waitFor();
  },
  "/fleet/log": async (page) => {
    await page.locator(".audit-table tbody tr").first().waitFor();
    await page.getByLabel("Kind").selectOption({ label: "Account" });
    await page.waitForURL(/kind=account/);
  },
};

/** Views that are about mails, at a server that sends some. */
export const openedWithMail: Readonly<Record<string, Opened>> = {
  "/notifications": async (page) => {
    await press(page, "Add a notification");
    await press(page, "Save");
    await page.locator(".person-card").first().waitFor();
  },
  "/reports/planned": async (page) => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto("/portal/reports/mileage");
    await press(page, "Send regularly");
    await page.getByLabel("Name").fill("Every morning");
    await press(page, "Save");
    await page.locator(".person-card").filter({ hasText: "Every morning" }).waitFor();
    await page.goto("/portal/reports/planned");
    await page.locator(".person-card").filter({ hasText: "Every morning" }).waitFor();
  },
};

/** Views for those who have not signed in, each with a visitor of its own. */
export const openedByStrangers: Readonly<Record<string, (site: PortalSite) => Promise<void>>> = {
  "/": async (site) => {
    const { page } = await site.visitor();
    await page.goto("/portal/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  },
  "/sign-in": async (site) => {
    const { page } = await site.visitor();
    await page.goto("/portal/sign-in?then=%2Fkeys");
    await page.getByLabel("E-mail").fill(ownerEmail);
    await page.getByLabel("Password").fill(portalPassword);
    await press(page, "Sign in");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  },
  "/openid": async (site) => {
    const { page } = await site.visitor();
    await page.goto("/portal/openid?code=nobody%27s");
    await page.getByRole("alert").waitFor();
    expect((await addressOf(page)).pathname).toBe("/portal/sign-in");
  },
  "/setup": async (site) => {
    const { program, link, close } = await emptyServer();
    const { page, leave } = await site.visitor({ baseURL: program.url, alsoAsks: [program.url] });
    await page.goto(link);
    await page.getByLabel("Name of the account").fill(account.account_name);
    await page.getByLabel("Your name").fill(account.name);
    await page.getByLabel("E-mail").fill(account.email);
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await page.getByLabel("Password again").fill(account.password);
    await press(page, "Create the account");
    await page.waitForURL(/\/portal\/start$/);
    await press(page, "Another gateway");
    await named(page, "Van 1");
    await page.getByLabel("IMEI of the tracker").fill("356307042441013");
    await press(page, "Add the vehicle");
    await page.getByText("Waiting for Van 1 to report").waitFor();
    await leave();
    await close();
  },
};
