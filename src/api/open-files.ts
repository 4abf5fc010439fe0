import { unchangedTag } from "../http/etag.ts";
import { type ReadyBody, taggedBody } from "../http/ready-body.ts";
import { type ResponseContext, respond, respondNotModified } from "./respond.ts";

/** Pages load their own style, script and pictures, and call this server: nothing else. They must not be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const isBinary = /^image\/(?!svg)|^application\/(?:gzip|zip)$/;

export function pageHeaders(mediaType: string): Record<string, string> {
  return {
    "Content-Type": isBinary.test(mediaType) ? mediaType : `${mediaType}; charset=utf-8`,
    "Content-Security-Policy": contentSecurityPolicy,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}

export type FileContent = string | Uint8Array<ArrayBuffer>;

const made = new Map<string, Promise<ReadyBody>>();

/** Answers with a file that is made at its first request and kept. What could not be made is tried again at the next. */
export async function respondFile(
  address: string,
  mediaType: string,
  make: () => FileContent | Promise<FileContent>,
  context: ResponseContext,
): Promise<Response> {
  const making = made.get(address) ?? makeBody(make);
  made.set(address, making);
  making.catch(() => made.delete(address));
  const body = await making;
  const tag = unchangedTag(context.headers, body);
  if (tag !== null) return respondNotModified(tag, context, "page");
  return respond({ body, headers: pageHeaders(mediaType) }, context);
}

async function makeBody(make: () => FileContent | Promise<FileContent>): Promise<ReadyBody> {
  const content = await make();
  return taggedBody(typeof content === "string" ? new TextEncoder().encode(content) : content);
}
