import { afterAll, beforeAll, describe, expect, test as plainTest } from "bun:test";
import { join } from "node:path";
import { reports } from "../../src/portal/both-sides/texts/en/reports.ts";
import { describeInBrowser, testInBrowser as test } from "../support/browser-test.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { patienceMs } from "../support/patience.ts";
import type { PortalSite } from "../support/portal-site.ts";
import { openedByStrangers, openedViews, openedWithMail } from "./browser/opened.ts";

const shell = join(import.meta.dir, "../../src/portal/page/shell");
const opened = [openedViews, openedWithMail, openedByStrangers].flatMap((views) => Object.keys(views));
/** Wide enough for tables to be tables. */
const viewport = { width: 1280, height: 800 };

/** Paths and patterns of paths that a source knows, except what it imports. */
async function pathsIn(file: string): Promise<{ exact: string[]; patterns: RegExp[] }> {
  const text = await Bun.file(join(shell, file)).text();
  const exact = [...text.matchAll(/(?<!import\(|from )"(\/[\w/-]*)"/g)].map(([, path = ""]) => path);
  const patterns = [...text.matchAll(/\/(\^\\\/[^\n]+?\$)\/\.exec\(/g)].map(([, source = ""]) => new RegExp(source));
  return { exact: [...new Set(exact)], patterns };
}

plainTest("every path that leads to a view is opened by a test here", async () => {
  const { exact, patterns } = await pathsIn("views.tsx");
  expect(exact.length).toBeGreaterThan(12);
  expect(patterns.length).toBe(3);
  expect(exact.filter((path) => !opened.includes(path))).toEqual([]);
  expect(patterns.filter((pattern) => !opened.some((path) => pattern.test(path)))).toEqual([]);
});

plainTest("every tab of the fleet and every kind of report is opened by a test here", async () => {
  const fleet = await Bun.file(join(shell, "fleet-page.tsx")).text();
  const parts = [...fleet.matchAll(/^ {2}(\w+): loadable\(/gm), ...fleet.matchAll(/part === "(\w+)"/g)];
  expect(parts.length).toBeGreaterThan(7);
  const tabs = [
    ...parts.map(([, part]) => `/fleet/${part}`),
    ...Object.keys(reports.kinds).map((kind) => `/reports/${kind}`),
  ];
  expect(tabs.filter((path) => !opened.includes(path))).toEqual([]);
});

describeInBrowser((given) => {
  for (const [path, act] of Object.entries(openedViews)) {
    test(`${path} opens, and its main action works`, async () => {
      // Yesterday and the last days are those of the fleet, whatever the clock says meanwhile.
      const clock = path === "/yesterday" ? { now: given().now } : {};
      const { page } = await given().signedIn(undefined, { viewport, ...clock });
      await page.goto(`/portal${path}`);
      await act(page, given());
    });
  }

  describe("with mails", () => {
    let mails: MailServer;
    let site: PortalSite;
    beforeAll(async () => {
      mails = await startMailServer();
      const mail = ["--smtp", `smtp://127.0.0.1:${mails.port}`, "--mail-from", "fleet@nordlicht.test"];
      site = await given().beside(...mail, "--public-url", "https://fleet.example");
    }, patienceMs);
    afterAll(async () => {
      expect(site.faults()).toEqual([]);
      await Promise.all([site.close(), mails.close()]);
    });
    for (const [path, act] of Object.entries(openedWithMail)) {
      test(`${path} opens, and its main action works`, async () => {
        const { page } = await site.signedIn(undefined, { viewport });
        await page.goto(`/portal${path}`);
        await act(page, site);
      });
    }
  });

  for (const [path, act] of Object.entries(openedByStrangers)) {
    test(`${path} opens for a stranger, and its main action works`, () => act(given()));
  }
});
