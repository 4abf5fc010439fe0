import { BoundedMap } from "../domain/bounded-map.ts";
import type { Scope } from "../domain/scopes.ts";
import { type Visibility, viewerKey } from "../domain/visibility.ts";
import { isReadyBody } from "../http/ready-body.ts";
import { mayNameFormat } from "./formats/accept.ts";
import type { Answer, Route } from "./route.ts";

const maxKeyLength = 500;

/** A key with every filter and a cursor is shorter. Nothing is cached under a longer one. */
export function isShortKey(key: string): boolean {
  return key.length <= maxKeyLength;
}

/** The pages themselves are cached elsewhere, and bounded there (cache/api-cache.ts). */
const maxBytes = 32 * 1024 * 1024;
const overheadBytes = 2_000;

/**
 * Answers by viewer and request. The same request is answered again without reading its parameters and making its headers, as
 * long as the answer is current.
 */
export class ReadyAnswers {
  readonly #answers = new BoundedMap<string, Answer>({ max: maxBytes, weigh: weightOf });

  get(key: string): Answer | undefined {
    return this.#answers.get(key);
  }

  set(key: string, answer: Answer): void {
    if (answer.isCurrent && isShortKey(key)) this.#answers.set(key, answer);
  }
}

function weightOf(_: string, { body }: Answer): number {
  return overheadBytes + (isReadyBody(body) ? body.bytes.byteLength : 0);
}

interface RequestOfViewer {
  readonly visibility: Visibility;
  readonly scopes: readonly Scope[];
  readonly query: string;
  readonly accept?: string | null;
  readonly hasShortCursors?: boolean;
}

/** An answer without a scope of its own depends on all scopes. Most clients accept nothing but JSON. */
export function requestKey(
  { route, values }: { readonly route: Route; readonly values: readonly string[] },
  { visibility, scopes, query, accept = null, hasShortCursors = false }: RequestOfViewer,
): string {
  const key = `${viewerKey(visibility)} ${route.scope === "any" ? scopes.join() : ""} ${route.path}?${query}`;
  const path = `${key}${values.length === 0 ? "" : ` ${values.join("/")}`}${hasShortCursors ? " short" : ""}`;
  return mayNameFormat(accept) ? `${path} ${accept}` : path;
}
