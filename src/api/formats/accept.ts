import { type FormatName, formatNames, mediaTypes } from "./format.ts";

/** Names that are ours besides JSON. Most requests name none of them. */
const ours = new RegExp(
  formatNames
    .filter((name) => name !== "json")
    .map((name) => mediaTypes[name].replace(/[.+]/g, "\\$&"))
    .join("|"),
  "i",
);

/** Whether this header can lead to anything but JSON. */
export function mayNameFormat(accept: string | null): accept is string {
  return accept !== null && ours.test(accept);
}

/**
 * The format that the header `Accept` wants most, of those offered. Only a format that is named counts: a client that accepts
 * anything, or only what we do not have, gets JSON, as always. JSON is also what `*` stands for. Of equal qualities a name
 * beats a `*`, and then the first one wins.
 */
export function acceptedFormat(accept: string | null, offered: readonly FormatName[]): FormatName {
  if (!mayNameFormat(accept)) return "json";
  let best: { readonly name: FormatName; readonly quality: number; readonly rank: number } | null = null;
  for (const { name, quality, rank } of rangesOf(accept)) {
    if (quality <= 0 || !offered.includes(name)) continue;
    const isBetter = best === null || quality > best.quality || (quality === best.quality && rank > best.rank);
    if (isBetter) best = { name, quality, rank };
  }
  return best?.name ?? "json";
}

interface AcceptedRange {
  readonly name: FormatName;
  readonly quality: number;
  readonly rank: number;
}

const wildcards: Readonly<Record<string, number>> = { "*/*": 0, "application/*": 1 };

/** Each format of ours that the header names; for JSON only the most exact range that stands for it. */
function rangesOf(accept: string): readonly AcceptedRange[] {
  const ranges: AcceptedRange[] = [];
  for (const part of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = part.split(";").map((word) => word.trim());
    const quality = qualityOf(parameters);
    const name = formatNames.find((candidate) => mediaTypes[candidate] === type);
    const rank = name === undefined ? wildcards[type] : 2;
    if (rank !== undefined) ranges.push({ name: name ?? "json", quality, rank });
  }
  const exactest = Math.max(...ranges.map(({ name, rank }) => (name === "json" ? rank : -1)));
  return ranges.filter(({ name, rank }) => name !== "json" || rank === exactest);
}

/** 1 unless named, and for what is no number. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.find((word) => /^q\s*=/.test(word));
  const quality = text === undefined ? 1 : Number(text.replace(/^q\s*=\s*/, ""));
  return Number.isFinite(quality) ? quality : 1;
}
