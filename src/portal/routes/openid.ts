import { z } from "zod";
import { staysBelow } from "../../domain/text/own-path.ts";
import { originOf } from "../client.ts";
import { pendingCookie, sessionCookie } from "../cookie.ts";
import { readCheckedBody } from "../read-body.ts";
import { nothingHere } from "../refusals.ts";
import { type OpenCall, portalRoute } from "../route.ts";
import { newSessionBody, presented } from "./session.ts";

/** A page of the portal: the provider sends the browser there, and the page finishes the sign-in from our own site. */
const returnPath = "/portal/openid";

/** A path below /portal. */
const next = z
  .string()
  .max(500)
  .refine((path) => staysBelow("/portal", path))
  .nullish()
  .catch(null);

export const beginOpenId = portalRoute("POST /openid/begin", "anyone", async (call) => {
  const { request, parts, now } = call;
  if (parts.openId === null) throw nothingHere();
  const wanted = readCheckedBody(call, z.object({ next })).next ?? null;
  const { address, sealed } = await parts.openId.begin(returnAddress(call), wanted, now);
  return { body: { address }, cookies: [pendingCookie.set(request, sealed)] };
});

/** More than any provider adds to the address. */
const maxParameters = 8_000;

const returned = z.object({ parameters: z.string({ error: "expected the parameters" }).max(maxParameters) });

export const finishOpenId = portalRoute("POST /openid/finish", "anyone", async (call) => {
  const { request, parts, now } = call;
  if (parts.openId === null) throw nothingHere();
  const parameters = new URLSearchParams(readCheckedBody(call, returned).parameters);
  const from = { address: call.address(), ...presented(request) };
  const done = await parts.openId.finish({ parameters, sealed: pendingCookie.read(request), from }, now);
  const cookies = [sessionCookie.set(request, done.token), pendingCookie.end(request)];
  return { body: { session: await newSessionBody(call, done.token), next: done.next }, cookies };
});

/** The provider compares it with the one it is configured with, so a wrong host leads nowhere. */
function returnAddress({ request, parts }: OpenCall): string {
  return (parts.publicUrl ?? originOf(request)) + returnPath;
}
