import { describeApi } from "./openapi/document.ts";
import type { OpenApiDocument } from "./openapi/types.ts";
import { routes } from "./routes.ts";

let document: OpenApiDocument | undefined;
let body: string | undefined;

/** The description of the whole interface. It is made from the route table, once. */
export function openApiDocument(): OpenApiDocument {
  document ??= describeApi(routes);
  return document;
}

export function openApiBody(): string {
  body ??= JSON.stringify(openApiDocument());
  return body;
}
