import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { documentOfAnyRows, openApiDocument } from "../../src/api/openapi/document.ts";

/** What the description says of one answer: its headers by whether they are always there, and its body. */
export interface DescribedAnswer {
  readonly headers: ReadonlyMap<string, { readonly required: boolean }>;
  /** As JSON. Null: no body. */
  readonly body: ValidateFunction | null;
  /** By media type. */
  readonly bodies: ReadonlyMap<string, ValidateFunction>;
}

interface Described {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly headers?: Readonly<Record<string, Described>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

// Formats are held by the routes' own schemas.
const ajvOf = (document: object) => new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "api");
/** Rows are whole unless the request has `fields`: only then the description of any rows is all that holds. */
const wholeRows = { document: openApiDocument() as object, ajv: ajvOf(openApiDocument()) };
const shorterRows = { document: documentOfAnyRows() as object, ajv: ajvOf(documentOfAnyRows()) };
const known = new Map<string, DescribedAnswer | null>();

/** Null if the description has no such answer. The path is as described: `/devices/{device_id}`. */
export function describedAnswer(path: string, status: number, hasFields = false): DescribedAnswer | null {
  const key = `${path} ${status} ${hasFields}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = read(path, status, hasFields ? shorterRows : wholeRows);
    known.set(key, answer);
  }
  return answer;
}

function read(path: string, status: number, { document, ajv }: typeof wholeRows): DescribedAnswer | null {
  const at = (pointer: string) => valueAt(document, pointer);
  const pointer = `/paths/${path.replaceAll("/", "~1")}/get/responses/${status}`;
  const stated = at(pointer);
  if (!stated) return null;
  const place = stated.$ref?.slice(1) ?? pointer;
  const { headers = {}, content } = at(place) ?? {};
  const listed = Object.entries(headers).map(([name, header]): [string, { required: boolean }] => {
    const { required = false } = header.$ref ? (at(header.$ref.slice(1)) ?? {}) : header;
    return [name, { required }];
  });
  const bodies = new Map(
    Object.keys(content ?? {}).map((type): [string, ValidateFunction] => {
      const schema = {
        $ref: `api#${encodeURI(place)}/content/${encodeURIComponent(type.replaceAll("/", "~1"))}/schema`,
      };
      return [type, ajv.compile(schema)];
    }),
  );
  return { headers: new Map(listed), body: bodies.get("application/json") ?? null, bodies };
}

/** What a JSON pointer leads to. */
function valueAt(document: object, pointer: string): Described | undefined {
  let value: unknown = document;
  for (const step of pointer.slice(1).split("/")) {
    value = (value as Record<string, unknown> | undefined)?.[step.replaceAll("~1", "/")];
  }
  return value as Described | undefined;
}
