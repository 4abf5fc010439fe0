import { prefix } from "../../api/route.ts";
import { allScopes } from "../../domain/scopes.ts";
import { chooseEncoding, encode } from "../../http/encoding.ts";
import { matchingTag } from "../../http/etag.ts";
import { jsonType } from "../../http/json.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

/** The API's pages have 500 rows. A fleet that is larger comes in several answers. */
const pagesAtOnce = 10;

const list = `${prefix}/positions/latest`;
/** Between the rows of a page and what follows them. */
const endOfRows = '],"next_cursor":';

/**
 * Every vehicle's newest position, as the API's pages have them, in one answer: a page that draws a map has little time between
 * the frames, and would wait for the next page in each of them.
 */
export const showLivePositions = portalRoute("GET /live-positions", "signed in", async (call) => {
  const after = new URLSearchParams(call.query).get("cursor");
  const parts: string[] = [];
  const tags: string[] = [];
  let cursor = after;
  for (let pages = 0; pages < pagesAtOnce; pages++) {
    const response = await pageOf(call, cursor);
    // A cursor of somebody else, say: the API's words.
    if (response.status !== 200) return response;
    const text = await response.text();
    const end = text.lastIndexOf(endOfRows);
    const rows = text.slice(text.indexOf("[") + 1, end);
    if (rows !== "") parts.push(rows);
    tags.push(response.headers.get("ETag") ?? rows);
    cursor = (JSON.parse(`{${text.slice(end + 2)}`) as { readonly next_cursor: string | null }).next_cursor;
    if (cursor === null) break;
  }
  const etag = `"${new Bun.CryptoHasher("sha256").update(tags.join()).digest("base64url").slice(0, 22)}"`;
  const headers = { ETag: etag, "Cache-Control": "no-store", Vary: "Accept-Encoding" };
  const known = call.request.headers.get("if-none-match");
  if (known !== null && matchingTag(known, etag, () => etag) !== null) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = new TextEncoder().encode(`{"data":[${parts.join()}],"next_cursor":${JSON.stringify(cursor)}}`);
  const encoding = chooseEncoding(call.request.headers.get("accept-encoding"));
  const encoded = encode(bytes, encoding);
  const used = encoded === null || encoding === null ? {} : { "Content-Encoding": encoding };
  return new Response(encoded ?? bytes, { headers: { ...headers, ...used, "Content-Type": jsonType } });
});

function pageOf({ parts, requestId, session, reading, checkAccess, now }: SignedInCall, cursor: string | null) {
  const query = new URLSearchParams({ limit: "500", ...(cursor === null ? {} : { cursor }) });
  const { visibility } = session;
  return parts.api.answerViewer({
    requestId,
    method: "GET",
    path: list,
    query: String(query),
    headers: new Headers(),
    visibility,
    caller: visibility.userId,
    checkAccess,
    scopes: allScopes,
    reading,
    now,
  });
}
