import type { Page } from "playwright-core";

/** Goes to another view as a link does, without loading the page again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(`/portal${path}`)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
}

/** Whoever comes back to the tab need not wait for the next poll. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

/** How far the page reaches beyond the screen. */
export async function overhang(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

export async function focusedText(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.textContent");
}
