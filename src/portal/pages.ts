import { Failure } from "../domain/errors.ts";
import { assetsPath } from "./bundle.ts";
import { observePortalFailure } from "./observe-failure.ts";
import { methodRefused, nothingHere } from "./refusals.ts";
import { respondFile, respondPortalFailure } from "./respond.ts";
import type { PortalCall, PortalParts } from "./route.ts";

/** An asset's name holds the hash of its content. The page does not, so a browser asks each time whether it is the same. */
const forEver = "public, max-age=31536000, immutable";
const askAgain = "no-cache";

/** Everything under /portal that is not /portal/api: the assets, and for any other path the one page. */
export async function answerPortalPage(parts: PortalParts, call: PortalCall): Promise<Response> {
  const { request, requestId, path } = call;
  const refuse = (failure: Failure) => {
    observePortalFailure(parts, call, failure, null);
    return respondPortalFailure(failure, request, requestId);
  };
  const isAsset = path.startsWith(assetsPath);
  call.routeName = isAsset ? "/portal/assets" : "/portal";
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(methodRefused(["GET", "HEAD"]));
  }
  try {
    const { page, assets } = await parts.files();
    if (!isAsset) return respondFile(page, request, askAgain);
    const asset = assets.get(path.slice(assetsPath.length));
    return asset ? respondFile(asset, request, forEver) : refuse(nothingHere());
  } catch (cause) {
    return refuse(new Failure("INTERNAL", "the page cannot be made", { cause }));
  }
}
