import { Failure } from "../domain/errors.ts";
import { methodNotAllowed } from "../http/failures.ts";
import { assetsPath } from "./bundle.ts";
import { nothingHere } from "./refusals.ts";
import { refusePortalCall, respondPortalFile } from "./respond.ts";
import type { PortalCall, PortalDeps } from "./route.ts";

/** An asset's name holds the hash of its content. The page does not, so a browser asks each time whether it is the same. */
const forEver = "public, max-age=31536000, immutable";
const askAgain = "no-cache";

const readingMethods: readonly string[] = ["GET", "HEAD"];

/** Everything under /portal that is not /portal/api: the assets, and for any other path, and /share, the one page. */
export async function answerPortalPage(parts: PortalDeps, call: PortalCall): Promise<Response> {
  const { request, path } = call;
  const isAsset = path.startsWith(assetsPath);
  call.routeName = isAsset ? "/portal/assets" : path === "/share" ? path : "/portal";
  if (!readingMethods.includes(request.method))
    return refusePortalCall(parts, call, methodNotAllowed(readingMethods), null);
  try {
    const { page, assets } = await parts.files();
    if (!isAsset) return respondPortalFile(page, request, askAgain);
    const asset = assets.get(path.slice(assetsPath.length));
    return asset ? respondPortalFile(asset, request, forEver) : refusePortalCall(parts, call, nothingHere(), null);
  } catch (cause) {
    return refusePortalCall(parts, call, new Failure("INTERNAL", "the page cannot be made", { cause }), null);
  }
}
