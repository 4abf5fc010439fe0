import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "./patience.ts";

/** Where the page is. `page.url()` hears of it a moment later. */
export async function addressOf(page: Page): Promise<URL> {
  return new URL(await page.evaluate<string>("location.href"));
}

/** Goes to another view as a link does, without loading the page again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(`/portal${path}`)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
}

/** A person who comes back to the tab need not wait for the next poll. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

/** How far the page reaches beyond the screen, once its plots have followed the size of the screen. */
export async function overhang(page: Page): Promise<number> {
  const measured = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  await until(async () => (await measured()) <= 0).catch(() => {});
  return measured();
}

/** Holds that the focus goes to what has this text. It moves a moment after that is shown. */
export async function expectFocus(page: Page, text: RegExp): Promise<void> {
  const focused = () => page.evaluate<string>("document.activeElement.textContent");
  await until(async () => text.test(await focused())).catch(() => {});
  expect(await focused()).toMatch(text);
}

/** What the page does or shows for some seconds only lasts long enough for a busy machine, until it is loaded again. */
export async function makeTimersLast(page: Page): Promise<void> {
  await page.evaluate(`{
    const { setTimeout } = window;
    window.setTimeout = (work, ms, ...rest) => setTimeout(work, ms >= 2000 ? 50 * ms : ms, ...rest);
  }`);
}

export const pictures = process.env.ODOGRAPH_TEST_PICTURES;

/** Keeps what the page looks like, if ODOGRAPH_TEST_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}
