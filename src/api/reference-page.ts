import { etagOf, type TaggedBody } from "../http/ready-body.ts";
import { unchangedTag } from "./not-modified.ts";
import { openApiDocument } from "./openapi.ts";
import { renderReference } from "./reference/page.ts";
import script from "./reference/reference.js" with { type: "text" };
import { stylesheet } from "./reference/stylesheet.ts";
import { type ResponseContext, respond, respondNotModified } from "./respond.ts";

/** The page loads its own style and script, and nothing else from anywhere. Nobody else may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const made = new Map<string, TaggedBody>();

/** The reference for people, from the same description that machines read. */
export function referencePage(responding: ResponseContext): Response {
  return respondReady("text/html", () => renderReference(openApiDocument()), responding);
}

export function referenceStyle(responding: ResponseContext): Response {
  return respondReady("text/css", () => stylesheet, responding);
}

/** What the page gains from a script: copy buttons, a filter, the place in the contents. It can be read without. */
export function referenceScript(responding: ResponseContext): Response {
  return respondReady("text/javascript", () => script, responding);
}

/** Made and compressed when first asked for, and kept. */
function respondReady(mediaType: string, make: () => string, responding: ResponseContext): Response {
  let body = made.get(mediaType);
  if (!body) {
    const bytes = Buffer.from(make()) as Uint8Array<ArrayBuffer>;
    body = { bytes, etag: etagOf(bytes), compressed: new Map() };
    made.set(mediaType, body);
  }
  const headers = {
    "Content-Type": `${mediaType}; charset=utf-8`,
    "Content-Security-Policy": contentSecurityPolicy,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
  const answer = { body, headers };
  const tag = unchangedTag(responding.headers, answer);
  return tag === null ? respond(answer, responding) : respondNotModified(tag, responding);
}
