import { Failure } from "../../domain/errors.ts";

/** Something that a model may name. */
export interface Named {
  /** What the route takes. */
  readonly value: string;
  /** What it may be called. The first is its name. */
  readonly names: readonly string[];
}

/** A name is looked for among this many: larger fleets are searched by the store. */
export const maxNamedThings = 5_000;

/** A model can choose among this many. */
const maxChoices = 10;
const maxNearest = 5;

/** As people say it: without case, accents, signs and leading zeros. "Van 7" is "VAN-07". */
export function plainName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/0+(?=\d)/g, (zeros, at: number, all: string) => (/\d/.test(all[at - 1] ?? "") ? zeros : ""));
}

/** The one that is meant; null: none is called so, nor has it as a part. Several are named in a failure. */
export function meantBy(argument: string, text: string, things: readonly Named[]): Named | null {
  const plain = plainName(text);
  const isIn = (part: boolean) => (thing: Named) =>
    thing.names.some((name) => (part ? plain !== "" && plainName(name).includes(plain) : plainName(name) === plain));
  const same = things.filter(({ names }) => names.includes(text));
  const alike = things.filter(isIn(false));
  const candidates = [same, alike, things.filter(isIn(true))].find((found) => found.length > 0) ?? [];
  if (candidates.length <= 1) return candidates[0] ?? null;
  const shown = candidates.slice(0, maxChoices).map(calledBy);
  const rest = candidates.length > maxChoices ? `, and ${candidates.length - maxChoices} more` : "";
  throw new Failure(
    "INVALID_REQUEST",
    `${argument}: several match ${JSON.stringify(text)}: ${shown.join(", ")}${rest}`,
  );
}

function calledBy({ value, names: [own] }: Named): string {
  return own === undefined || own === value ? value : `${own} (${value})`;
}

/** What there is in its place. */
export function nothingCalled(argument: string, text: string, things: readonly Named[]): Failure {
  const nearest = nearestTo(text, things).map(calledBy);
  const hint = nearest.length === 0 ? "there is nothing that it could be" : `nearest: ${nearest.join(", ")}`;
  const among = things.length >= maxNamedThings ? `of the first ${maxNamedThings} ` : "";
  const what = `nothing ${among}that the key can see is called ${JSON.stringify(text)}`;
  return new Failure("NOT_FOUND", `${argument}: ${what}; ${hint}`);
}

/** The most similar first, by the pairs of letters that they share. */
function nearestTo(text: string, things: readonly Named[]): readonly Named[] {
  const wanted = pairsOf(plainName(text));
  return things
    .map((thing) => ({
      thing,
      likeness: Math.max(0, ...thing.names.map((name) => likeness(wanted, pairsOf(plainName(name))))),
    }))
    .sort((one, other) => other.likeness - one.likeness || (calledBy(one.thing) < calledBy(other.thing) ? -1 : 1))
    .slice(0, maxNearest)
    .map(({ thing }) => thing);
}

function pairsOf(text: string): ReadonlySet<string> {
  const padded = ` ${text} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * one.intersection(other).size) / (one.size + other.size);
}
