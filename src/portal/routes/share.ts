import { z } from "zod";
import type { SharedAnswer } from "../both-sides/contract/shares.ts";
import { readQuery } from "../read-body.ts";
import { wholeNumberField } from "../request-fields.ts";
import { portalRoute } from "../route.ts";
import { readKey, sharedTrack, sharedView } from "../sharing/shared-view.ts";
import { requireShare } from "../sharing/visitor.ts";
import { mapRecord } from "../tiles/map-record.ts";

/** What visitors with a share link are shown. Nothing here looks at a session: all who have the link get the same. */

export const showShare = portalRoute("GET /share", "anyone", async (call) => {
  const { parts, now } = call;
  const share = await requireShare(parts, call, parts.shareMeter);
  const data = await sharedView(parts.database, share, now);
  parts.shares.noteOpened(share.link, now);
  const body: SharedAnswer = { data, map: await mapRecord(parts) };
  return { body };
});

const part = z.object({
  vehicle: wholeNumberField(3, 0, 999),
  after: z
    .string()
    .transform(readKey)
    .refine((key) => key !== null, { error: "expected what the part before ended with" })
    .nullish(),
});

export const showShareTrack = portalRoute("GET /share/track", "anyone", async (call) => {
  const { parts, query } = call;
  const share = await requireShare(parts, call, parts.shareMeter);
  const { vehicle, after = null } = readQuery(query, part);
  return { body: await sharedTrack(parts.database, share, { vehicle, after }) };
});
