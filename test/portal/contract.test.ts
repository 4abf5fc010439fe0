import { expect, test } from "bun:test";
import fc from "fast-check";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { to } from "../../src/portal/both-sides/address.ts";

const source = await Bun.file(new URL("../../src/portal/both-sides/contract/data.ts", import.meta.url)).text();

/** The entries of an interface, as they are written: `trips: Records.Trip;`. */
function entriesOf(name: string): [string, string][] {
  const [, body = ""] = new RegExp(`interface ${name} \\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  return [...body.matchAll(/^ {2}"?([^"\n:]+)"?: (.+);$/gm)].map(([, key = "", type = ""]) => [key, type]);
}

test("the page reads of the API what its description says", () => {
  const { paths, components } = openApiDocument();
  const answered = (path: string) => {
    const { $ref = "" } =
      (paths[path]?.get.responses["200"] as Answer | undefined)?.content["application/json"]?.schema ?? {};
    return $ref.split("/").at(-1) ?? "";
  };
  const recordOf = (list: string) =>
    (components.schemas[list] as unknown as List).properties.data.items.$ref.split("/").at(-1);
  const lists = entriesOf("DataLists");
  expect(lists.length).toBeGreaterThan(8);
  for (const [list, type] of lists) expect([list, `Records.${recordOf(answered(`/${list}`))}`]).toEqual([list, type]);
  expect(answered("/devices/{device_id}")).toBe("DeviceAnswer");
  expect(answered("/changes")).toBe("ChangeList");
});

interface Answer {
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

interface List {
  readonly properties: { readonly data: { readonly items: { readonly $ref: string } } };
}

test("property: an address holds the values of its path and its query, whatever is in them", () => {
  const text = fc.string({ minLength: 1, maxLength: 20 }).filter((value) => value.isWellFormed());
  fc.assert(
    fc.property(text, fc.array(text), fc.option(text), (list, tag, from) => {
      const address = to("GET /download/{list}", { list, tag, from, to: "" });
      const [path = "", query = ""] = address.split(/\?(.*)/s);
      const [, , name = ""] = path.split("/");
      const read = new URLSearchParams(query);
      expect([path.split("/").length, decodeURIComponent(name)]).toEqual([3, list]);
      expect([read.getAll("tag"), read.get("from"), read.has("to")]).toEqual([tag, from, false]);
    }),
  );
});
