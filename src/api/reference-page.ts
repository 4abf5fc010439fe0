import { unchangedTag } from "../http/not-modified.ts";
import { type ReadyBody, taggedBody } from "../http/ready-body.ts";
import { openApiDocument } from "./openapi.ts";
import icon from "./reference/icon.svg" with { type: "text" };
import { renderReference } from "./reference/page.ts";
import { pageScript } from "./reference/script.ts";
import { stylesheet } from "./reference/stylesheet.ts";
import { type ResponseContext, respond, respondNotModified } from "./respond.ts";

/** The page loads its own style, script and icon, and calls this server: nothing else. Nobody may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const made = new Map<string, Promise<ReadyBody>>();

/** The reference for people, from the same description that machines read. */
export function referencePage(context: ResponseContext): Promise<Response> {
  return respondReady("text/html", () => renderReference(openApiDocument()), context);
}

export function referenceStyle(context: ResponseContext): Promise<Response> {
  return respondReady("text/css", () => stylesheet, context);
}

/** The script adds languages, a console, a search and copy buttons. The page can be read without it. */
export function referenceScript(context: ResponseContext): Promise<Response> {
  return respondReady("text/javascript", pageScript, context);
}

export function referenceIcon(context: ResponseContext): Promise<Response> {
  return respondReady("image/svg+xml", () => icon, context);
}

type Make = () => string | Promise<Uint8Array<ArrayBuffer>>;

async function respondReady(mediaType: string, make: Make, context: ResponseContext): Promise<Response> {
  const body = await readyBody(mediaType, make);
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

/** Made at the first request. What could not be made is tried again at the next. */
function readyBody(mediaType: string, make: Make): Promise<ReadyBody> {
  const body = made.get(mediaType) ?? makeBody(make);
  made.set(mediaType, body);
  body.catch(() => made.delete(mediaType));
  return body;
}

async function makeBody(make: Make): Promise<ReadyBody> {
  const content = await make();
  return taggedBody(typeof content === "string" ? new TextEncoder().encode(content) : content);
}
