import type { TaggedBody } from "../http/ready-body.ts";
import type { Answer } from "./route.ts";

/** Whether the client has this body already, so that the answer is a 304. Only answers of conditional routes carry a tag. */
export function isNotModified(headers: Headers, answer: Answer): answer is Answer & { body: TaggedBody } {
  if (typeof answer.body === "string" || !("etag" in answer.body) || answer.body.etag === null) return false;
  const ifNoneMatch = headers.get("if-none-match");
  return ifNoneMatch !== null && matchesEtag(ifNoneMatch, answer.body.etag);
}

/** Whether If-None-Match names this tag: it takes lists, `*`, and weak tags, which are compared without their mark. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
