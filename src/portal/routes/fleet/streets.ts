import { z } from "zod";
import { HttpFailure } from "../../../http/failures.ts";
import { addAuditEntries } from "../../../store/fleet/audit.ts";
import { onlyAccount } from "../../../store/fleet/demo-accounts.ts";
import type { StreetSetup } from "../../both-sides/contract/streets.ts";
import { readCheckedBody, readId, readQuery } from "../../read-body.ts";
import { forbidden, noSuch } from "../../refusals.ts";
import { wholeNumberField } from "../../request-fields.ts";
import { type PortalDeps, portalRoute, type SignedInCall } from "../../route.ts";
import { type Upload, UploadedStreets, UploadRefused } from "../../tiles/uploaded-streets.ts";

/** A proxy before us often takes no more than 1 MiB at once, and neither do we. */
const pieceBytes = 1_000_000;

export const showStreets = portalRoute("GET /fleet/streets", "owner", async ({ parts }) => ({
  body: { data: await setup(parts) },
}));

const wanted = z.object({
  file_name: z.string().max(255),
  bytes: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
});

export const beginStreetUpload = portalRoute("POST /fleet/streets/uploads", "owner", async (call) => {
  const streets = await requireUploads(call.parts);
  const { file_name, bytes } = readCheckedBody(call, wanted);
  return { status: 201, body: { data: uploadRecord(await orRefuse(streets.begin(file_name, bytes))) } };
});

const place = z.object({ at: wholeNumberField(16, 0, Number.MAX_SAFE_INTEGER) });

export const writeStreetPiece = portalRoute("PUT /fleet/streets/uploads/{upload_id}", "owner", async (call) => {
  const streets = await requireUploads(call.parts);
  const { at } = readQuery(call.query, place);
  return { body: { data: uploadRecord(await orRefuse(streets.write(readId(call, "upload"), at, call.body))) } };
});

export const finishStreetUpload = portalRoute(
  "POST /fleet/streets/uploads/{upload_id}/finish",
  "owner",
  async (call) => {
    const streets = await requireUploads(call.parts);
    const name = await orRefuse(streets.finish(readId(call, "upload")));
    await log(call, "streets.added", name);
    return { body: { data: await setup(call.parts) } };
  },
);

export const cancelStreetUpload = portalRoute("DELETE /fleet/streets/uploads/{upload_id}", "owner", async (call) => {
  const streets = await requireUploads(call.parts);
  await streets.cancel(readId(call, "upload"));
  return { status: 204 };
});

export const removeStreets = portalRoute("DELETE /fleet/streets/archives/{name}", "owner", async (call) => {
  const streets = await requireUploads(call.parts);
  const name = call.values[0] ?? "";
  if (!(await streets.remove(name))) throw noSuch("archive");
  await log(call, "streets.removed", name);
  return { body: { data: await setup(call.parts) } };
});

async function setup(parts: PortalDeps): Promise<StreetSetup> {
  const operator = await byOperator(parts);
  const by = { by_operator: operator, piece_bytes: pieceBytes };
  // What is on the disk is nobody's business where it is not theirs.
  if (operator !== null || !(parts.streets instanceof UploadedStreets))
    return { ...by, archives: [], room_bytes: null };
  const { archives, roomBytes } = await parts.streets.files();
  return { ...by, archives, room_bytes: roomBytes };
}

/** With several accounts, one owner would choose the map of the others, and fill the disk of all. */
async function byOperator({ streets, database }: PortalDeps): Promise<StreetSetup["by_operator"]> {
  if (!(streets instanceof UploadedStreets)) return streets;
  return (await onlyAccount(database)) === null ? "several_accounts" : null;
}

async function requireUploads(parts: PortalDeps): Promise<UploadedStreets> {
  const { streets } = parts;
  if (!(streets instanceof UploadedStreets) || (await byOperator(parts)) !== null) {
    throw forbidden("on this server the streets of the map are set up by the people who run it");
  }
  return streets;
}

/** The page has words for each problem. */
async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    const { problem, message } = error;
    throw new HttpFailure(problem === "busy" ? "CONFLICT" : "INVALID_REQUEST", message, { fields: { problem } });
  }
}

function uploadRecord({ id, bytes, received }: Upload) {
  return { upload_id: id, bytes, received };
}

async function log(
  { parts, session, now }: SignedInCall,
  action: "streets.added" | "streets.removed",
  name: string,
): Promise<void> {
  const entry = { by: { kind: "user", id: session.user.id }, action, id: name } as const;
  await parts.database.transaction((tx) => addAuditEntries(tx, session.visibility.accountId, [entry], now));
}
