/** What a browser calls itself, and the system it runs on. The order matters: most also name those that they descend from. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\/|\bOpera\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\bFirefox\/|\bFxiOS\//],
  ["Chrome", /Chrom(?:e|ium)\/|\bCriOS\//],
  ["Safari", /\bSafari\//],
];

const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** A browser in the words of its maker, such as "Firefox · Windows". Null if it says neither. */
export function browserName(userAgent: string | null): string | null {
  const nameIn = (known: typeof browsers) => known.find(([, sign]) => sign.test(userAgent ?? ""))?.[0];
  return [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined).join(" · ") || null;
}
