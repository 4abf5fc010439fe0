import fc from "fast-check";

const largestInt32 = 2 ** 31 - 1;
export const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const nasty = [
  '"',
  "\\",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u2028",
  "é",
  "ł",
  "漢",
  "🚚",
  "\ud800",
  "\udc00",
  "</script>",
];
/** Texts with everything that needs care, on both sides of the length from which they are encoded otherwise. */
export const text = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc
    .array(fc.oneof(fc.constantFrom(...nasty), fc.constant("a".repeat(20))), { maxLength: 12 })
    .map((all) => all.join("")),
);
export const uuid = fc.uuid();
export const imei = fc.stringMatching(/^[0-9]{14,16}$/);
export const instant = fc.oneof(
  fc.integer({ min: Date.parse("0000-01-01T00:00:00.000Z"), max: Date.parse("9999-12-31T23:59:59.999Z") }),
  fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2026-01-03") }),
);
export const flag = fc.constantFrom(0, 1, false, true);
export const int32 = fc.oneof(fc.integer(), fc.integer({ min: -2000, max: 2000 }));
export const integer = fc.oneof(int32, fc.maxSafeInteger());
export const count = fc.integer({ min: 0, max: largestInt32 });
export const json = <Value>(value: fc.Arbitrary<Value>) => value.map((parsed) => JSON.stringify(parsed));

export const device = { device_id: uuid, imei };
