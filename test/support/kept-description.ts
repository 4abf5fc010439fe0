/** Holds a description (OpenAPI) to that of a released version: nothing of it may be lost or mean something else. */

type Json = Readonly<Record<string, unknown>>;

/** What explains, or may only become wider. */
const free = new Set([
  ...["description", "summary", "example", "examples", "title", "x-example-request"],
  ...["pattern", "minLength", "maxLength"],
]);

/**
 * What 2.0 took out: our own extension, with the schema that nothing else referred to. It described sums in the place of days, which
 * are answered as before. The sums that are described have an operation of their own.
 */
const takenOut = new Set([
  ".paths./reports/mileage.get.responses.200.content.application/json.schema.$defs is gone",
  ".paths./reports/mileage.get.responses.200.x-other-rows is gone",
  ".components.schemas.MileageList.$defs is gone",
  ".components.schemas.MileagePeriod is gone",
]);

/** Where the description lacks or contradicts what the released one said. */
export function brokenDescription(released: unknown, now: unknown): string[] {
  const all = broken(released as Json, now as Json, released as Json, now as Json, "");
  return all.filter((lost) => !takenOut.has(lost));
}

function broken(was: unknown, is: unknown, before: Json, after: Json, at: string): string[] {
  const one = resolved(was, before);
  const other = resolved(is, after);
  if (Array.isArray(one))
    return Array.isArray(other) ? brokenList(one, other, before, after, at) : [`${at}: was a list`];
  if (one === null || typeof one !== "object")
    return Object.is(one, other) ? [] : [`${at}: was ${one}, is ${JSON.stringify(other)}`];
  if (other === null || typeof other !== "object") return [`${at} is gone`];
  return Object.entries(one).flatMap(([name, value]) => {
    // A field of a record may have any name.
    const isField = at.endsWith(".properties");
    if (!isField && free.has(name)) return [];
    return broken(value, (other as Json)[name], before, after, `${at}.${name}`);
  });
}

/** Parameters by their names; of words (required fields, values, types), each must still be there. */
function brokenList(
  one: readonly unknown[],
  other: readonly unknown[],
  before: Json,
  after: Json,
  at: string,
): string[] {
  return one.flatMap((entry, index) => {
    const item = resolved(entry, before);
    if (item === null || typeof item !== "object") return other.includes(item) ? [] : [`${at}: lacks ${item}`];
    const { name } = item as Json;
    const same =
      name === undefined
        ? other[index]
        : other.find((candidate) => (resolved(candidate, after) as Json)?.name === name);
    return broken(item, same, before, after, `${at}[${name ?? index}]`);
  });
}

function resolved(value: unknown, document: Json): unknown {
  const reference = value !== null && typeof value === "object" ? (value as Json).$ref : undefined;
  if (typeof reference !== "string") return value;
  const steps = reference.slice(2).split("/");
  return steps.reduce<unknown>((found, step) => (found as Json | undefined)?.[step.replaceAll("~1", "/")], document);
}
