import type { Language } from "./both-sides/texts/texts.ts";
import { firstSpoken } from "./both-sides/texts/texts.ts";

/** More than any browser sends. */
const maxTags = 20;

/** The first of the languages that a browser asks for and the portal speaks; null: none, or it does not say. */
export function browserLanguage(headers: Headers): Language | null {
  const tags = (headers.get("accept-language") ?? "").split(",").slice(0, maxTags).map(weighted);
  const wanted = tags.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return firstSpoken(wanted.map(({ tag }) => tag));
}

/** Such as `de-AT;q=0.8`; without a weight it is 1. */
function weighted(text: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
