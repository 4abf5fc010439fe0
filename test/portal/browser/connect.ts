import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { saveTrackerFaults } from "../../../src/store/fleet/tracker-faults.ts";
import { openDatabase } from "../../../src/store/open.ts";
import { sql } from "../../../src/store/sql.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { freePort } from "../../support/free-port.mjs";
import { until } from "../../support/patience.ts";
import { subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { callers } from "../../support/trackers/callers.ts";
import { encodeLocation, type Gt06Fix } from "../../support/trackers/gt06-encoder.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";
import { account, emptyServer } from "./setup.ts";

const imei = "861000000004213";
const phone = { viewport: { width: 390, height: 844 } };
/** In the middle of Berlin. */
const place = { latitude: 52.52, longitude: 13.405 };

const now = () => Math.floor(Date.now() / 1_000) * 1_000;

/** A place that the tracker had before, and does not vouch for. */
function notLocated(satellites: number): Gt06Fix {
  const [date = "", time = ""] = new Date(now()).toISOString().split("T");
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const [hour = 0, minute = 0, second = 0] = time.replace(/\..*/, "").split(":").map(Number);
  const clock = [year - 2_000, month, day, hour, minute, second] as const;
  return { clock, satellites, latitude: 0, longitude: 0, speedKmh: 0, heading: 0, isLocated: false };
}

async function saveWrongClock(directory: string, clockAheadS: number): Promise<void> {
  const database = await openDatabase({ engine: "sqlite", directory }, { create: false });
  const rows = await database.all<{ accountId: number; device: number; seenAt: number }>(sql`
    select d.account_id as "accountId", d.device, p.last_seen_at as "seenAt"
    from devices d join latest_positions p on p.device = d.device where d.imei = ${imei}`);
  await saveTrackerFaults(
    database,
    rows.map((row) => ({ ...row, clockAheadS })),
  );
  await database.close();
}

async function choose(page: Page, typed: string, name: string): Promise<void> {
  await page.getByLabel("Search for a model").fill(typed);
  await page.getByRole("button", { name }).first().click();
}

/** Types into what has the focus, and goes on to the next field as the key of a phone does. */
async function fillIn(page: Page, ...values: readonly (string | null)[]): Promise<void> {
  for (const value of values) {
    if (value !== null) await page.keyboard.type(value);
    await page.keyboard.press("Tab");
  }
}

export function testConnect(given: () => PortalSite): void {
  test("a newcomer comes from the link to a GT06 on the map on one page, with at most 8 clicks, on a phone, too", async () => {
    const port = await freePort();
    const { program, link, close } = await emptyServer(["--trackers", `gt06=${port}`]);
    const { page, leave } = await given().visitor({ ...phone, baseURL: program.url, alsoAsks: [program.url] });
    await page.addInitScript(`addEventListener("click", ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
    }, true)`);
    await page.goto(link);
    await page.getByLabel("Name of the account").waitFor();
    // The first field has the focus.
    await fillIn(page, account.account_name, null, account.name, account.email, account.password, account.password);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("button", { name: "A tracker with a SIM card" }).click();
    await expectNoBarriers(page, "which tracker it is");
    await page.keyboard.type("gt06n");
    await page.getByRole("button", { name: "GT06N" }).first().click();
    await page.getByTestId("line-server").getByText(`SERVER,0,127.0.0.1,${port},0#`).waitFor();
    await page.getByLabel("IMEI of the tracker").click();
    await page.keyboard.type(imei);
    await page.getByRole("button", { name: "Wait for it to call" }).click();
    const headline = page.getByTestId("headline");
    await headline.getByText(`No tracker has called as ${imei} yet`).waitFor();
    const tracker = new WireTracker("gt06", imei, port);
    expect(await tracker.connect()).toBe(false);
    await headline.getByText(`${imei} called. It is not in your fleet yet`).waitFor();
    await page.getByLabel("Name", { exact: true }).click();
    await page.keyboard.type("Van 42");
    await page.getByRole("button", { name: "Add it to the fleet" }).click();
    await headline.getByText("Van 42 is in your fleet.").waitFor();
    await until(() => tracker.connect());
    expect(await tracker.report({ at: now(), ...place })).toBe(true);
    await headline.getByText("Van 42 is on the map.").waitFor();
    await page.locator(".start-map .map[data-map=ready]").waitFor();
    expect(new URL(page.url()).pathname).toBe("/portal/start");
    expect(await page.evaluate("Number(sessionStorage.clicks)")).toBe(7);
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "the first tracker on the map");
    tracker.close();

    // Who comes back goes on where they were.
    await page.goto(`${program.url}/portal/start`);
    await page.getByText("A tracker with a SIM card").waitFor();
    await page.getByRole("button", { name: "Something else" }).click();
    await page.getByRole("button", { name: "A phone" }).click();
    await page.getByText("Van 42").first().waitFor();
    await leave();
    await close();
  });

  test("a tracker comes from its box to the map, with a phone: lines, IMEI, its call, a name, a fix", async () => {
    const port = await freePort();
    const site = await given().beside("--trackers", `gt06=${port}`);
    const { page, leave } = await site.signedIn(undefined, { ...phone, alsoAsks: [site.origin] });
    await page.goto(`${site.origin}/portal/fleet/trackers`);
    await page.getByRole("link", { name: "Connect a tracker" }).click();
    await page.getByRole("heading", { name: "Connect a tracker", level: 1 }).waitFor();
    await expectNoBarriers(page, "connecting a tracker");

    // A family whose port is not open is named with what the operator must type.
    await choose(page, "fmb 920", "FMB920");
    await page.getByText("This server does not listen to Teltonika trackers yet.").waitFor();
    expect(await page.getByTestId("operator-setting").textContent()).toBe(`--trackers gt06=${port},teltonika`);
    expect(await page.getByTestId("line-server").textContent()).toBe("  setparam 2004:127.0.0.1;2005:5027;2006:0");
    await expectNoBarriers(page, "a family that is not listened to");
    expect(await overhang(page)).toBe(0);
    await page.getByRole("button", { name: "Choose another" }).click();

    await choose(page, "gt06n", "GT06N");
    await page.getByText("Only this machine or its own network reaches 127.0.0.1").waitFor();
    expect(await page.getByTestId("line-apn").textContent()).toBe("APN,APN#");
    await page.getByLabel("Access point (APN) of the SIM card").fill("internet");
    expect(await page.getByTestId("line-apn").textContent()).toBe("APN,internet#");
    await page.getByLabel("User name").fill("me");
    await page.getByLabel("Password").fill("secret");
    expect(await page.getByTestId("line-apn").textContent()).toBe("APN,internet,me,secret#");
    expect(await page.getByTestId("line-server").textContent()).toBe(`SERVER,0,127.0.0.1,${port},0#`);
    await expectNoBarriers(page, "the lines of a tracker");
    expect(await overhang(page)).toBe(0);

    await page.getByLabel("IMEI of the tracker").fill("12");
    await page.getByRole("button", { name: "Wait for it to call" }).click();
    await page.getByText("Enter an IMEI of 14 to 16 digits.").waitFor();
    await page.getByLabel("IMEI of the tracker").fill("86 100000-000421 3");
    await page.getByRole("button", { name: "Wait for it to call" }).click();
    const headline = page.getByTestId("headline");
    await headline.getByText(`No tracker has called as ${imei} yet`).waitFor();
    await page.getByText("Is the access point (APN) right").waitFor();
    await page.getByText(`Is 127.0.0.1, port ${port}, reachable from outside?`).waitFor();
    await expectNoBarriers(page, "waiting for a tracker");
    expect(await overhang(page)).toBe(0);

    const tracker = new WireTracker("gt06", imei, port);
    expect(await tracker.connect()).toBe(false);
    await headline.getByText(`${imei} called. It is not in your fleet yet`).waitFor();
    await expectNoBarriers(page, "a tracker that called");
    await page.getByLabel("Name", { exact: true }).fill("Van 42");
    await page.getByRole("button", { name: "Add it to the fleet" }).click();
    await headline.getByText("Van 42 is in your fleet. Its tracker calls again by itself").waitFor();

    await until(() => tracker.connect());
    expect(await tracker.send(encodeLocation(notLocated(3), true, 2))).toBe(true);
    await headline.getByText("Van 42 reports, and has no fix yet (satellites: 3)").waitFor();
    await page.getByText("Put it under the open sky").waitFor();
    await expectNoBarriers(page, "a tracker without a fix");
    expect(await tracker.report({ at: now(), ...place })).toBe(true);
    await headline.getByText("Van 42 is on the map.").waitFor();
    await expectNoBarriers(page, "a tracker on the map");
    expect(await overhang(page)).toBe(0);

    // It can be left and opened again where it was. A clock that is steadily off is offered to be set.
    await saveWrongClock(site.directory, 8 * 3_600);
    await page.reload();
    await headline.getByText("Van 42 is on the map.").waitFor();
    await page.getByText("Its tracker's clock is 8 h 00 min fast.").waitFor();
    await page.getByRole("link", { name: "set it to +08:00" }).waitFor();
    await expectNoBarriers(page, "a tracker whose clock is wrong");
    const map = page.getByRole("link", { name: "Open the map" });
    const id = new URL((await map.getAttribute("href")) ?? "", site.origin).searchParams.get("vehicle");
    await page.goto(`${site.origin}/portal/map/${id}`);
    await page.getByRole("button", { name: "Messages of the tracker" }).click();
    const messages = page.locator(".message");
    await messages.filter({ hasText: "login" }).first().waitFor();
    const location = messages.filter({ hasText: "52.52000, 13.40500" }).first();
    await location.getByText("50 km/h").waitFor();
    expect(await location.locator("code").first().textContent()).toMatch(/^7878[0-9a-f]+0d0a$/);
    await messages.filter({ hasText: "Satellites3" }).first().waitFor();
    await expectNoBarriers(page, "the messages of a tracker");
    expect(await overhang(page)).toBe(0);
    await leave();

    // Nobody else sees them, and a vehicle whose tracker does not call here says why there are none.
    const sam = await site.signedIn(subAccountEmail, phone);
    const { data: seen } = await (await sam.page.request.get("/portal/api/data/devices")).json();
    await sam.page.goto(`${site.origin}/portal/map/${seen[0].device_id}`);
    await sam.page.getByRole("heading", { level: 1 }).waitFor();
    expect(await sam.page.getByText("Messages of the tracker").count()).toBe(0);
    await sam.leave();
    const olga = await site.signedIn(undefined, { locale: "de" });
    await olga.page.goto(`${site.origin}/portal/map/${seen[0].device_id}`);
    await olga.page.getByRole("button", { name: "Nachrichten des Trackers" }).click();
    await olga.page.getByTestId("no-messages").getByText("Er sendet über ein Gateway").waitFor();
    await olga.leave();
    tracker.close();
    await site.close();
  });

  test("where the server has one account, a mistyped IMEI is put right; ten digits become the tracker's id", async () => {
    const [port, h02Port] = [await freePort(), await freePort()];
    const { program, link, close } = await emptyServer(["--trackers", `gt06=${port},h02=${h02Port}`]);
    const { page, leave } = await given().visitor({ ...phone, baseURL: program.url, alsoAsks: [program.url] });
    const headers = { "X-Odograph-Portal": "1", Origin: program.url };
    const data = { ...account, token: new URL(link).hash.slice(1) };
    expect((await page.request.post("/portal/api/setup", { data, headers })).status()).toBe(201);
    await page.goto("/portal/fleet/connect?recipe=gt06&model=GT06N");
    const headline = page.getByTestId("headline");
    await page.getByLabel("IMEI of the tracker").fill("861000000004231");
    await page.getByRole("button", { name: "Wait for it to call" }).click();
    await headline.getByText("No tracker has called as 861000000004231 yet").waitFor();
    const tracker = new WireTracker("gt06", imei, port);
    expect(await tracker.connect()).toBe(false);
    await page.getByText("Is it one of these?").waitFor();
    await expectNoBarriers(page, "another tracker that called");
    await page.getByRole("button", { name: `It is this one: ${imei}` }).click();
    await headline.getByText(`${imei} called. It is not in your fleet yet.`).waitFor();

    // Sinotrack's call themselves by the digits on their label.
    await page.goto("/portal/fleet/connect");
    await page.getByRole("button", { name: "Do not wait for 861000000004231" }).click();
    await page.getByText("861000000004231", { exact: true }).waitFor({ state: "detached" });
    await choose(page, "ST-901", "ST-901");
    expect(await page.getByTestId("line-server").textContent()).toBe(`8040000 127.0.0.1 ${h02Port}`);
    await page.getByLabel("IMEI of the tracker").fill("861000000004999");
    await page.getByLabel("Ten digits on its label").fill("9170123456");
    await page.getByRole("button", { name: "Wait for it to call" }).click();
    await headline.getByText("No tracker has called as 9170123456 / 861000000004999 yet").waitFor();
    const report = callers.h02.report("9170123456", { at: now(), ...place }, 1);
    const call = () =>
      Bun.connect({
        hostname: "127.0.0.1",
        port: h02Port,
        socket: { data() {}, open: (socket) => void socket.write(report) },
      });
    const refused = await call();
    await headline.getByText("called. It is not in your fleet yet.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Lorry 7");
    await page.getByRole("button", { name: "Add it to the fleet" }).click();
    await headline.getByText("Lorry 7 is in your fleet.").waitFor();
    const { data: devices } = await (await page.request.get("/portal/api/fleet/devices")).json();
    expect(devices).toMatchObject([
      { imei: "861000000004999", tracker_id: "9170123456", tracker_protocol: "h02", tracker_model: "ST-901" },
    ]);
    const sockets = [refused];
    await until(async () => {
      sockets.push(await call());
      return headline.getByText("Lorry 7 is on the map.").isVisible();
    });
    for (const socket of sockets) socket.end();
    await leave();
    await close();
  });
}
