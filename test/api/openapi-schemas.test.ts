import { expect, test } from "bun:test";
import { z } from "zod";
import { SchemaCollection } from "../../src/api/openapi/schemas.ts";

function schemaOf(type: z.ZodType): object {
  return new SchemaCollection().add(type);
}

test("what may be null has two types", () => {
  expect(schemaOf(z.int().min(0).nullable().describe("So many."))).toEqual({
    type: ["integer", "null"],
    minimum: 0,
    description: "So many.",
  });
  expect(schemaOf(z.enum(["a", "b"]).nullable())).toEqual({ type: ["string", "null"], enum: ["a", "b", null] });
  expect(schemaOf(z.literal("a").nullable())).toEqual({ type: ["string", "null"], enum: ["a", null] });
});

test("what has a name is a component, and may still be null", () => {
  const point = z.strictObject({ x: z.number() }).meta({ id: "PointOfSchemaTest" });
  const schemas = new SchemaCollection();
  const $ref = "#/components/schemas/PointOfSchemaTest";
  expect(schemas.add(point)).toEqual({ $ref });
  expect(schemas.add(point.nullable())).toEqual({ anyOf: [{ $ref }, { type: "null" }] });
  expect(schemas.add(z.array(point))).toEqual({ type: "array", items: { $ref } });
  expect(Object.keys(schemas.components())).toEqual(["PointOfSchemaTest"]);
});

test("an integer is described as one, without bounds that say nothing", () => {
  expect(schemaOf(z.int())).toEqual({ type: "integer" });
  expect(schemaOf(z.int().min(1).max(9))).toEqual({ type: "integer", minimum: 1, maximum: 9 });
});

test("a record may gain fields, so that none is closed to clients", () => {
  const record = z.strictObject({ inner: z.strictObject({ id: z.string() }), ids: z.record(z.string(), z.int()) });
  expect(schemaOf(record)).toEqual({
    type: "object",
    properties: {
      inner: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      ids: { type: "object", additionalProperties: { type: "integer" } },
    },
    required: ["inner", "ids"],
  });
});

test("two schemas of one name are refused", () => {
  const schemas = new SchemaCollection();
  const named = (type: z.ZodType) => {
    const registered = z.strictObject({ value: type }).meta({ id: "TwiceInSchemaTest" });
    schemas.add(registered);
    z.globalRegistry.remove(registered);
  };
  named(z.string());
  expect(() => named(z.number())).toThrow("two schemas are named TwiceInSchemaTest");
});

test("values that have a name are a component, with what is said of them in that place beside it", () => {
  const schemas = new SchemaCollection();
  const $ref = "#/components/schemas/Severity";
  expect(schemas.add(z.enum(["info", "warning", "critical"]).describe("Of this one."))).toEqual({
    $ref,
    description: "Of this one.",
  });
  expect(schemas.add(z.enum(["info", "warning", "critical"]).nullable())).toEqual({
    anyOf: [{ $ref }, { type: "null" }],
  });
  expect(schemas.addParameter({ type: "string", enum: ["info", "warning", "critical"] })).toEqual({ $ref });
  expect(schemas.components()).toMatchObject({ Severity: { type: "string", enum: ["info", "warning", "critical"] } });
});

test("a choice names the property that says what was chosen", () => {
  const circle = z.strictObject({ kind: z.literal("circle"), size: z.int() }).meta({ id: "CircleOfSchemaTest" });
  const square = z.strictObject({ kind: z.literal("square"), size: z.int() }).meta({ id: "SquareOfSchemaTest" });
  const schemas = new SchemaCollection();
  schemas.add(z.array(z.discriminatedUnion("kind", [circle, square]).meta({ id: "ShapeOfSchemaTest" })));
  expect(schemas.components().ShapeOfSchemaTest?.discriminator).toEqual({
    propertyName: "kind",
    mapping: {
      circle: "#/components/schemas/CircleOfSchemaTest",
      square: "#/components/schemas/SquareOfSchemaTest",
    },
  });
});

test("a field that is always null is described as one that may be null, which generators understand", () => {
  expect(schemaOf(z.strictObject({ end: z.null() }))).toMatchObject({
    properties: { end: { type: ["string", "null"] } },
  });
});
