import { Failure } from "../../domain/errors.ts";
import { inTime } from "../../http/deadline.ts";
import { chooseEncoding } from "../../http/encoding.ts";
import { asFailure, methodNotAllowed } from "../../http/failures.ts";
import { sessionCookie } from "../cookie.ts";
import { nothingHere, notSignedIn } from "../refusals.ts";
import { refusePortalCall } from "../respond.ts";
import type { PortalCall, PortalDeps } from "../route.ts";
import { requireShare, shareHeader } from "../sharing/visitor.ts";
import { maxTownZoom, townTile } from "../towns/town-tiles.ts";
import type { Tile } from "./archive.ts";
import type { TilesDescription } from "./map-tiles.ts";

/** Where the tiles are. */
export const tilesPath = "/portal/tiles/";

const tileForm = /^([\w-]+)\/(\d{1,2})\/(\d{1,7})\/(\d{1,7})$/;
const townForm = /^towns\/(\d{1,2})\/(\d{1,7})\/(\d{1,7})$/;
const readingMethods: readonly string[] = ["GET", "HEAD"];

/** Only for the one who was signed in. The address changes with the archive. */
const forEver = "private, max-age=31536000, immutable";
/** Towns change with a new version of the program. */
const forDays = "private, max-age=172800";
/** A page that is older than the archive asks with the old address, which must not hold the new tile. */
const notCached = "no-store";

/** The address of the tiles, with places for zoom, column and row. */
export function tilesAddress({ version }: TilesDescription): string {
  return `${tilesPath}${version}/{z}/{x}/{y}`;
}

/**
 * A tile for someone who is signed in, or who has a share link. A map that is moved asks for a hundred at once, which must not count against
 * the session's calls; nor do they count as use of the session, because a map that follows a vehicle asks on its own.
 */
export async function answerTile(parts: PortalDeps, call: PortalCall): Promise<Response> {
  const { request, path } = call;
  call.routeName = tilesPath.slice(0, -1);
  try {
    if (!readingMethods.includes(request.method)) throw methodNotAllowed(readingMethods);
    if (request.headers.has(shareHeader)) await requireShare(parts, call, parts.shareTileMeter);
    else await requireSession(parts, call);
    const townPlace = townForm.exec(path.slice(tilesPath.length))?.slice(1).map(Number);
    if (townPlace !== undefined) return await answerTowns(townPlace, takesGzip(request));
    const [, version, ...place] = tileForm.exec(path.slice(tilesPath.length)) ?? [];
    const [z = -1, x = 0, y = 0] = place.map(Number);
    const size = 2 ** z;
    if (parts.mapTiles === null || version === undefined || z > 22 || x >= size || y >= size) throw nothingHere();
    const found = await parts.mapTiles.tile(z, x, y, takesGzip(request));
    if (found.outcome === "unusable") throw new Failure("UNAVAILABLE", "the streets cannot be read");
    if (found.outcome === "coarser") throw nothingHere();
    const caching = found.version === version ? forEver : notCached;
    // Nothing at sea or outside of the archive is no error, and browsers would show one for a 404.
    if (found.outcome === "empty") return new Response(null, { status: 204, headers: { "Cache-Control": caching } });
    return respondTile(found.tile, caching);
  } catch (error) {
    return refusePortalCall(parts, call, asFailure(error), null);
  }
}

/** Towns need no archive: they come with the program. */
async function answerTowns([z = 0, x = 0, y = 0]: readonly number[], canGzip: boolean): Promise<Response> {
  if (z > maxTownZoom || x >= 2 ** z || y >= 2 ** z) throw nothingHere();
  const bytes = await townTile(z, x, y);
  return respondTile(canGzip ? { bytes, isGzip: true } : { bytes: Bun.gunzipSync(bytes), isGzip: false }, forDays);
}

async function requireSession({ sessions }: PortalDeps, { request, now }: PortalCall): Promise<void> {
  const token = sessionCookie.read(request);
  const session = token === null ? null : await inTime(sessions.find(token, now, true));
  if (session === null) throw notSignedIn();
}

/** Every browser does. Preferences do not matter: to compress anew costs more than it saves. */
function takesGzip({ headers }: Request): boolean {
  return chooseEncoding(headers.get("accept-encoding")?.replaceAll("zstd", "") ?? null) === "gzip";
}

function respondTile({ bytes, isGzip }: Tile, caching: string): Response {
  const headers = {
    "Content-Type": "application/vnd.mapbox-vector-tile",
    "Cache-Control": caching,
    Vary: "Accept-Encoding",
    ...(isGzip ? { "Content-Encoding": "gzip" } : {}),
  };
  return new Response(bytes, { headers });
}
