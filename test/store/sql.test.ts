import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nothing, type Sql, sql, type Value } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { forAll } from "../support/for-all.ts";

/** A statement as a tree: literal text between values and pieces. */
interface Tree {
  readonly strings: readonly string[];
  readonly parts: readonly (Value | Tree)[];
}

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant("'; drop table frames --"),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc
    .array(fc.oneof({ depthSize: "small" }, value, tie("tree")), { maxLength: 4 })
    .map((parts) => ({ strings: Array.from({ length: parts.length + 1 }, (_, index) => ` t${index} `), parts })),
}));

function isTree(part: Value | Tree): part is Tree {
  return typeof part === "object" && part !== null && "parts" in part;
}

/** Calls the tag as the compiler would for a template of these texts. */
function tagged({ strings, parts }: Tree): Sql {
  const template = Object.assign([...strings], { raw: strings }) as unknown as TemplateStringsArray;
  return sql(template, ...parts.map((part) => (isTree(part) ? tagged(part) : part)));
}

function valuesIn({ parts }: Tree): Value[] {
  return parts.flatMap((part) => (isTree(part) ? valuesIn(part) : [part]));
}

function withOtherValues({ strings, parts }: Tree): Tree {
  return { strings, parts: parts.map((part) => (isTree(part) ? withOtherValues(part) : "other")) };
}

describe("the sql tag", () => {
  test("what is interpolated becomes a parameter", () => {
    expect(sql`select ${1}, ${"x'; drop table users"} where ${null} is null`).toMatchObject({
      text: "select $1, $2 where $3 is null",
      values: [1, "x'; drop table users", null],
    });
  });

  test("a piece becomes text and its parameters are numbered on", () => {
    const recent = sql`and recorded_at >= ${5} ${sql`and valid = ${true}`}`;
    expect(sql`select ${"a"} where device = ${7} ${recent} ${nothing} limit ${10}`).toMatchObject({
      text: "select $1 where device = $2 and recorded_at >= $3 and valid = $4  limit $5",
      values: ["a", 7, 5, true, 10],
    });
    expect(sql`${recent} or ${recent}`.values).toEqual([5, true, 5, true]);
  });

  test("one template takes now a value and now a piece", () => {
    const select = (part: Value | Sql) => sql`select ${part}`;
    expect([select(1), select(sql`now()`), select(2)].map(({ text }) => text)).toEqual([
      "select $1",
      "select now()",
      "select $1",
    ]);
  });

  test("an object from outside that looks like a piece is not one", () => {
    const forged = JSON.parse('{"text":"drop table users","values":[],"strings":["drop table users"],"parts":[]}');
    expect(sql`select ${forged}`.text).toBe("select $1");
  });

  test("the text never depends on a value, and the values keep their order", () => {
    forAll(100, [tree], (random) => {
      const { text, values } = tagged(random);
      expect(values).toEqual(valuesIn(random));
      expect(text).toBe(tagged(withOtherValues(random)).text);
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(values.map((_, index) => index + 1));
    });
  });
});

onEachEngine("a parameter", (engine) => {
  test("comes back as the text it was, whatever it says", async () => {
    const { database } = await engine.fresh();
    const texts = fc.string({ unit: "binary" }).filter((text) => !text.includes("\0"));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const row = await database.get<{ echo: string }>(sql`select cast(${text} as text) as echo`);
        expect(row).toEqual({ echo: text });
      }),
      { examples: [["$1"], ["?1"], ["'; drop table users; --"], ['"quoted"'], ["\\"], ["🚚\u0301\n"]] },
    );
  });
});
