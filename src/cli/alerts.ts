import { activeUser } from "../access/active-user.ts";
import { Failure } from "../domain/errors.ts";
import { visibilityOf } from "../domain/visibility.ts";
import { acknowledgeAlerts, type StoredAcknowledgement } from "../store/facts/alert-acknowledgements.ts";
import { type CommandCall, command, jsonOption } from "./common/command.ts";
import { requiredText, uuidArgument } from "./common/options.ts";
import { jsonInstant, shortInstant } from "./common/table.ts";
import { withStore } from "./store/open-store.ts";

export const alertsCommand = command({
  name: "alerts",
  summary: "acknowledge alerts",
  details: [
    "An acknowledgement says that someone has dealt with an alert. It survives when alerts are derived again, and cannot be",
    "undone. Acknowledging again changes nothing, and prints who did it and when.",
  ].join("\n"),
  actions: [
    {
      name: "acknowledge",
      arguments: ["ID"],
      summary: "record that a user has dealt with an alert",
      options: [
        { name: "user", placeholder: "EMAIL", help: "who has; must see the alert's device", required: true },
        jsonOption,
      ],
      run: acknowledge,
    },
  ],
});

async function acknowledge(call: CommandCall): Promise<void> {
  const id = uuidArgument(call, "ID");
  const email = requiredText(call, "user");
  const { acknowledgement, isNew } = await withStore(call, (database) =>
    database.transaction(async (tx) => {
      const user = await activeUser(tx, email);
      const visibility = visibilityOf({ accountId: user.account_id, id: user.id, role: user.role });
      const [done] = await acknowledgeAlerts(tx, visibility, [id], Date.now());
      // The same answer for an alert that does not exist and for one that this user may not see.
      if (done === undefined) throw new Failure("NOT_FOUND", `${email} sees no alert with the id ${id}`);
      return done;
    }),
  );
  if (call.options.json) return call.terminal.out(JSON.stringify(acknowledgementJson(acknowledgement, isNew)));
  const { acknowledged_by, acknowledged_at, alert_type, imei } = acknowledgement;
  call.terminal.out(
    isNew
      ? `acknowledged ${id} (${alert_type} of ${imei})`
      : `${id} was acknowledged already, by ${acknowledged_by ?? "a user who was erased since"} at ${shortInstant(acknowledged_at)}`,
  );
}

function acknowledgementJson({ alert_id, alert_type, imei, ...who }: StoredAcknowledgement, isNew: boolean) {
  return {
    alert_id,
    alert_type,
    imei,
    acknowledged_at: jsonInstant(who.acknowledged_at),
    acknowledged_by: who.acknowledged_by_id,
    user: who.acknowledged_by,
    changed: isNew,
  };
}
