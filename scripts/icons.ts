// The icons of the portal on a home screen, drawn from src/portal/page/icon.svg: `bun scripts/icons.ts`, when that has changed.
import { fileURLToPath } from "node:url";
import { type IconFile, iconFiles } from "../src/portal/home-screen.ts";
import { startLastingBrowser } from "../test/support/browser.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../src/portal/page/${name}`, import.meta.url));

/** Phones cut a circle or another shape out of an icon that fills its square: what it shows stays well within. */
const shareWithin = 0.72;

function html(svg: string, { size, fills }: IconFile): string {
  const inner = fills ? Math.round(size * shareWithin) : size;
  const corners = fills ? svg.replace('rx="8"', "") : svg;
  return `<style>html,body{margin:0}body{width:${size}px;height:${size}px;display:grid;place-items:center;
    ${fills ? "background:#0b6e69" : ""}}svg{width:${inner}px;height:${inner}px}</style>${corners}`;
}

const svg = await Bun.file(pathOf("icon.svg")).text();
const browser = await startLastingBrowser();
try {
  const page = await (await browser.running()).newPage();
  for (const icon of iconFiles) {
    const { name, size } = icon;
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(html(svg, icon));
    await page.screenshot({ path: fileURLToPath(icon.url), omitBackground: true });
    console.log(name);
  }
} finally {
  await browser.close();
}
