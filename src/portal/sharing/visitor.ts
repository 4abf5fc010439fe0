import type { OpenShare } from "../../access/share-links.ts";
import type { ShareMeter } from "../../access/share-meter.ts";
import { rateLimited } from "../../api/refusals.ts";
import { Failure } from "../../domain/errors.ts";
import { inTime } from "../../http/deadline.ts";
import type { PortalCall, PortalDeps } from "../route.ts";

/** Holds the secret of a link: in a header, because addresses are logged by proxies. */
export const shareHeader = "x-odograph-share";

/** The same whatever the cause, so that nobody learns which links there were. */
export function linkEnded(): Failure {
  return new Failure("NOT_FOUND", "this link has ended, or there never was one");
}

/** The link that a visitor presents, if it works. Else a refusal, and one for asking too often. */
export async function requireShare(
  { shares }: Pick<PortalDeps, "shares">,
  { request, address, now }: Pick<PortalCall, "request" | "address" | "now">,
  meter: ShareMeter,
): Promise<OpenShare> {
  const ofAddress = meter.spendAddress(address(), now);
  if (ofAddress.refusal) throw rateLimited(ofAddress.refusal, ofAddress.reading);
  const share = await inTime(shares.find(request.headers.get(shareHeader) ?? "", now));
  if (share === null) throw linkEnded();
  const ofLink = meter.spendLink(share.link.id, now);
  if (ofLink.refusal) throw rateLimited(ofLink.refusal, ofLink.reading);
  return share;
}
