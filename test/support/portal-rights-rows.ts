import { saveChoice } from "../../src/store/notifications/choices.ts";
import { keepMail } from "../../src/store/notifications/kept-mails.ts";
import { savePlan } from "../../src/store/notifications/planned-reports.ts";
import type { PortalWorld } from "./portal.ts";

/** What a call about mails needs to be there: the server of these tests sends none, so no route makes it. */
export async function newPlan({ store, accounts, users }: PortalWorld): Promise<string> {
  const id = crypto.randomUUID();
  const filters = { view: null, sort: null, choice: null, driver: null, fence: null, tags: [], vehicles: [] };
  const when = {
    cadence: "week",
    hour: 6,
    next_at: Date.UTC(2040, 0),
    paused_at: null,
    created_at: 0,
    updated_at: 0,
  } as const;
  const whose = { account_id: accounts.acme.account_id, id, created_by: users.olga.id };
  const what = { name: "Trips", report: "trips", filters_json: JSON.stringify(filters) };
  await store.database.transaction((tx) => savePlan(tx, { ...whose, ...what, ...when }, [users.olga.id], new Set()));
  return id;
}

export async function newChoice({ store, accounts, users }: PortalWorld): Promise<string> {
  const id = crypto.randomUUID();
  const wanted = { alertTypes: null, severities: null, tags: null, deviceIds: null };
  const when = { since: 0, created_at: 0, updated_at: 0, stopped_at: null };
  const quiet = { quiet_from: null, quiet_until: null, time_zone: null };
  const whose = { account_id: accounts.acme.account_id, id, user_id: users.olga.id, created_by: null };
  await store.database.transaction((tx) =>
    saveChoice(tx, {
      ...whose,
      wanted_json: JSON.stringify(wanted),
      pacing: "at_once",
      tells_end: false,
      ...quiet,
      ...when,
    }),
  );
  return id;
}

export async function newKeptMail({ store, accounts }: PortalWorld): Promise<string> {
  const id = crypto.randomUUID();
  const mail = {
    name: "",
    email: "anna@acme.example",
    subject: "Kept",
    body: "Kept",
    html: "<p>Kept",
    kept_at: Date.now(),
  };
  await store.database.transaction((tx) =>
    keepMail(tx, { account_id: accounts.acme.account_id, id, ...mail, attachments_json: "[]" }),
  );
  return id;
}
