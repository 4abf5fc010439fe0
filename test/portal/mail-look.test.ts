import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { languages } from "../../src/portal/both-sides/texts/texts.ts";
import { type LastingBrowser, startLastingBrowser } from "../support/browser.ts";
import { expectNoBarriers } from "../support/browser-barriers.ts";
import { overhang, picture } from "../support/browser-moves.ts";
import { testInBrowser } from "../support/browser-test.ts";
import { patienceMs } from "../support/patience.ts";
import { manyAlerts, sampleLetters } from "../support/sample-letters.ts";

const letters = Object.entries(sampleLetters("en"));

/** Beyond, Gmail cuts a mail off: the way to stop it is at its end. */
const maxBytes = 102_400;

test("a mail loads nothing, runs nothing and has no picture, and says in its head that it knows the dark", () => {
  for (const [name, { html }] of letters) {
    expect(html, name).not.toMatch(/<(img|link|script|iframe|form)|src=|url\(|@import|background=/);
    expect(html, name).toContain('<meta name="color-scheme" content="light dark">');
    expect(html, name).toContain("@media screen and (prefers-color-scheme:dark)");
  }
});

test("a mail is not cut off, with the most alerts and rows that it lists", () => {
  for (const { html } of [manyAlerts(), sampleLetters("de").report]) {
    expect(Buffer.byteLength(html ?? "")).toBeLessThan(maxBytes);
  }
});

test("the text of a mail says what its HTML says, with the address of each of its links", () => {
  for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
    for (const [name, { html, text }] of Object.entries(sampleLetters(language))) {
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&#38;", "&"));
      for (const url of links) expect(text, `${name} in ${language}`).toContain(url);
      expect(links.length > 0, name).toBe(name !== "changed");
      // The file of a report has its rows.
      const words = name === "report" ? [] : wordsOf(html);
      for (const word of words) expect(text, `${name} in ${language}`).toContain(word);
    }
  }
});

function wordsOf(html: string): string[] {
  const body = html.replace(/<style>.*?<\/style>|<title>.*?<\/title>|<!--.*?-->/gs, "").replace(/<[^>]+>/g, " ");
  const text = body.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return text.split(/[\s·]+/).filter((word) => word !== "");
}

let browser: LastingBrowser;
beforeAll(async () => {
  browser = await startLastingBrowser();
}, patienceMs);
afterAll(() => browser.close());

async function opened(html: string, width: number, colorScheme: "light" | "dark"): Promise<Page> {
  const page = await (await browser.running()).newPage({ viewport: { width, height: 740 }, colorScheme });
  await page.setContent(html);
  return page;
}

testInBrowser("a mail fits a phone and a window, and has one button that a finger hits", async () => {
  for (const [name, { html }] of letters) {
    for (const width of [360, 700]) {
      const page = await opened(html, width, "light");
      expect([name, width, await overhang(page)]).toEqual([name, width, 0]);
      const buttons = page.locator("td.button a");
      const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      expect([name, boxes.length]).toEqual([name, name === "changed" ? 0 : 1]);
      for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
      await picture(page, `mail-${name}-${width}`);
      await page.close();
    }
  }
});

testInBrowser("a mail can be read by everybody, in the light and in the dark", async () => {
  const seen: unknown[] = [];
  for (const [name, { html }] of letters) {
    const page = await opened(html, 360, "dark");
    seen.push(await page.evaluate<unknown>("getComputedStyle(document.querySelector('td.card')).backgroundColor"));
    // A mail program's own page has the landmark around it.
    await page.evaluate("document.querySelector('[role=article]').setAttribute('role', 'main')");
    await expectNoBarriers(page, `the mail ${name}`);
    await page.close();
  }
  expect(new Set(seen)).toEqual(new Set(["rgb(20, 27, 32)"]));
});
