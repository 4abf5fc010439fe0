import { respondFile } from "./open-files.ts";
import { openApiDocument } from "./openapi.ts";
import { pageScript } from "./page-scripts.ts";
import icon from "./reference/icon.svg" with { type: "text" };
import { renderReference } from "./reference/page.ts";
import { stylesheet } from "./reference/stylesheet.ts";
import type { ResponseContext } from "./respond.ts";

/** The reference for people, from the same description that machines read. */
export function referencePage(context: ResponseContext): Promise<Response> {
  return respondFile("/docs", "text/html", () => renderReference(openApiDocument()), context);
}

export function referenceStyle(context: ResponseContext): Promise<Response> {
  return respondFile("/docs/reference.css", "text/css", () => stylesheet, context);
}

/** The script adds languages, a console, a search and copy buttons. The page can be read without it. */
export function referenceScript(context: ResponseContext): Promise<Response> {
  return respondFile("/docs/reference.js", "text/javascript", () => pageScript("reference"), context);
}

export function referenceIcon(context: ResponseContext): Promise<Response> {
  return respondFile("/docs/icon.svg", "image/svg+xml", () => icon, context);
}
