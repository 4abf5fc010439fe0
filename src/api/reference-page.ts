import { unchangedTag } from "../http/not-modified.ts";
import { type ReadyBody, taggedBody } from "../http/ready-body.ts";
import { openApiDocument } from "./openapi.ts";
import { renderReference } from "./reference/page.ts";
import script from "./reference/reference.js" with { type: "text" };
import { stylesheet } from "./reference/stylesheet.ts";
import { type ResponseContext, respond, respondNotModified } from "./respond.ts";

/** The page loads its own style and script, and nothing else. Nobody may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const made = new Map<string, ReadyBody>();

/** The reference for people, from the same description that machines read. */
export function referencePage(context: ResponseContext): Response {
  return respondReady("text/html", () => renderReference(openApiDocument()), context);
}

export function referenceStyle(context: ResponseContext): Response {
  return respondReady("text/css", () => stylesheet, context);
}

/** The script adds copy buttons, a filter and the place in the contents. The page can be read without it. */
export function referenceScript(context: ResponseContext): Response {
  return respondReady("text/javascript", () => script, context);
}

/** Made and compressed at the first request. */
function respondReady(mediaType: string, make: () => string, context: ResponseContext): Response {
  const body = made.get(mediaType) ?? taggedBody(new TextEncoder().encode(make()));
  made.set(mediaType, body);
  const headers = {
    "Content-Type": `${mediaType}; charset=utf-8`,
    "Content-Security-Policy": contentSecurityPolicy,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
  const tag = unchangedTag(context.headers, body);
  return tag === null ? respond({ body, headers }, context) : respondNotModified(tag, context, "page");
}
