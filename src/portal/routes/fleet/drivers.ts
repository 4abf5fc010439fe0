import { z } from "zod";
import { formatInstant } from "../../../domain/time/time.ts";
import { eraseDriver } from "../../../fleet/edit/erase-driver.ts";
import { driverIdsIn, driverNames, driversOfAccount, seenDriverIds } from "../../../store/fleet/drivers.ts";
import type { DriverRecord, UnnamedDriverId } from "../../both-sides/contract/people.ts";
import { actorOf, answerEdit, asRefusals, isPreview, readChangedRecord, readNewRecord } from "../../fleet-edit.ts";
import { managementOf } from "../../management.ts";
import { readCheckedBody, readId } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { seenRevision } from "../../request-fields.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** The drivers of the account, and the ids that trackers sent lately and nobody named. */
export const listDrivers = portalRoute("GET /fleet/drivers", "owner", async (call) => ({
  body: { data: await driverRecords(call, null), unnamed: await unnamedIds(call) },
}));

export const addDriver = portalRoute("POST /fleet/drivers", "owner", async (call) => {
  const { fields } = readNewRecord(call);
  const id = crypto.randomUUID();
  return answerEdit(call, { type: "driver", id, revision: null, fields }, () => driverRecord(call, id));
});

export const changeDriver = portalRoute("PUT /fleet/drivers/{driver_id}", "owner", async (call) => {
  const id = readId(call, "driver");
  const { revision, fields } = readChangedRecord(call);
  return answerEdit(call, { type: "driver", id, revision, fields }, () => driverRecord(call, id));
});

const seen = z.object({ revision: seenRevision });

/** For good: a name is all there is. */
export const eraseFleetDriver = portalRoute("POST /fleet/drivers/{driver_id}/erase", "owner", async (call) => {
  const { parts, session, now } = call;
  const id = readId(call, "driver");
  const { accountId } = session.visibility;
  const wanted = { accountId, id, by: actorOf(call), isPreview: isPreview(call), ...readCheckedBody(call, seen) };
  const effect = await asRefusals(() => eraseDriver(parts.database, wanted, now));
  return { body: { data: { id }, effect } };
});

async function driverRecord(call: SignedInCall, id: string): Promise<DriverRecord> {
  const [record] = await driverRecords(call, [id]);
  if (record === undefined) throw noSuch("driver");
  return record;
}

async function driverRecords({ parts, session }: SignedInCall, ids: readonly string[] | null): Promise<DriverRecord[]> {
  const { accountId } = session.visibility;
  const rows = await driversOfAccount(parts.database, accountId, ids);
  const managed = await managementOf(
    parts.database,
    accountId,
    "driver",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ id: row.id, name: row.name, driver_ids: driverIdsIn(row), ...managed(row.id) }));
}

async function unnamedIds({ parts, session }: SignedInCall): Promise<UnnamedDriverId[]> {
  const { accountId } = session.visibility;
  const ids = await seenDriverIds(parts.database, accountId);
  const names = await driverNames(
    parts.database,
    accountId,
    ids.map(({ driver_id }) => driver_id),
  );
  return ids
    .filter(({ driver_id }) => !names.has(driver_id))
    .map(({ driver_id, seen_at }) => ({ driver_id, seen_at: formatInstant(seen_at) }));
}
