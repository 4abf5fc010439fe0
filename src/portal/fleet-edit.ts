import { z } from "zod";
import type { Actor } from "../domain/audit.ts";
import { Failure } from "../domain/errors.ts";
import { isTrackerId, trackerKey } from "../domain/text/identifiers.ts";
import { isObject } from "../domain/text/raw-object.ts";
import { type EditResult as EditedFleet, editFleet, type RecordEdit } from "../fleet/edit/edit.ts";
import { WrongFields } from "../fleet/edit/edited-file.ts";
import { EditConflict } from "../fleet/edit/stored-records.ts";
import { DoesNotFit } from "../fleet/parse/reference.ts";
import { HttpFailure } from "../http/failures.ts";
import type { Reader } from "../store/database.ts";
import { trackerHolders } from "../store/fleet/tracker-names.ts";
import type { ChangedFields, Edited, EditPreview, Fields } from "./both-sides/contract/envelopes.ts";
import { readCheckedBody } from "./read-body.ts";
import { invalidFields } from "./refusals.ts";
import { seenRevision } from "./request-fields.ts";
import type { PortalAnswer, SignedInCall } from "./route.ts";

/** No record has more. */
const maxFields = 50;
const fieldsExpected = `expected an object with the fields that change, at most ${maxFields}`;
const fields = z.custom<Readonly<Record<string, unknown>>>(isFields, { error: fieldsExpected });

function isFields(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length <= maxFields;
}
const newRecord = z.object({ fields });
const changedRecord = z.object({ revision: seenRevision, fields });

/** The body of a request that adds a record. */
export function readNewRecord(
  call: Pick<SignedInCall<{ readonly fields: Fields }>, "body">,
): z.output<typeof newRecord> {
  return readCheckedBody(call, newRecord);
}

/** The body of a request that changes one. */
export function readChangedRecord(call: Pick<SignedInCall<ChangedFields>, "body">): z.output<typeof changedRecord> {
  return readCheckedBody(call, changedRecord);
}

/** Whether only the effect is asked for, and nothing is to be stored. */
export function isPreview({ query }: Pick<SignedInCall, "query">): boolean {
  return new URLSearchParams(query).get("preview") === "true";
}

export function actorOf({ session }: Pick<SignedInCall, "session">): Actor {
  return { kind: "user", id: session.user.id };
}

/** Stores changes of the caller's own account, or only looks at their effect, as the request asks. */
export async function makeEdit(call: SignedInCall, changes: readonly RecordEdit[]): Promise<EditedFleet> {
  const { parts, session, now } = call;
  const account = { number: session.visibility.accountId, id: session.account.id };
  const request = { account, by: actorOf(call), changes, isPreview: isPreview(call) };
  const { takenTrackers } = parts.probeLimits;
  const given = changes.flatMap(({ fields }) => givenTrackers(fields));
  const probed = await trackersOfOthers(parts.database, account.number, given);
  takenTrackers.check(account.number, probed, now);
  return asRefusals(async () => {
    try {
      return await editFleet(parts.database, request, now);
    } catch (error) {
      const isTaken = error instanceof DoesNotFit && (error.field === "imei" || error.field === "tracker_id");
      if (isTaken) takenTrackers.count(account.number, probed, now);
      throw error;
    }
  });
}

/** What these fields call a tracker, as it is compared. */
function givenTrackers({ imei, tracker_id }: RecordEdit["fields"]): string[] {
  const names = [imei, tracker_id].map((name) => (typeof name === "string" ? name.trim() : ""));
  return names.filter(isTrackerId).map(trackerKey);
}

/** Those of these keys that no vehicle of the account has: whether another account's has one is to be learnt of few. */
export async function trackersOfOthers(
  reader: Reader,
  accountId: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const holders = await trackerHolders(reader, keys);
  return new Set(keys.filter((key) => holders.get(key)?.account_id !== accountId));
}

/** The words of a fleet file's checks as those of a form. */
export async function asRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof WrongFields) return invalidFields(error.fields);
  if (error instanceof DoesNotFit) return invalidFields({ [error.field]: error.problem });
  if (error instanceof EditConflict) return conflict(error);
  // Two changes of one request that claim the same.
  if (error instanceof Failure && error.code === "FLEET_FILE_INVALID") {
    return new Failure("INVALID_REQUEST", error.message.replaceAll(/line (\d+)/g, "change $1"));
  }
  return error;
}

function conflict({ message, current, revision }: EditConflict): Failure {
  return new HttpFailure("CONFLICT", message, { fields: { current, revision } });
}

/** Answers a request that adds or changes one record. `show` reads it as it is afterwards. */
export async function answerEdit<Shown>(
  call: SignedInCall,
  change: RecordEdit,
  show: () => Promise<Shown>,
): Promise<PortalAnswer<Edited<Shown> | EditPreview>> {
  const { effect } = await makeEdit(call, [change]);
  if (isPreview(call)) return { body: { data: { effect } } };
  return { status: change.revision === null ? 201 : 200, body: { data: await show(), effect } };
}
