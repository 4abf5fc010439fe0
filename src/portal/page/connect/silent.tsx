import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { TrackerAddress, UnknownDevice } from "../../both-sides/contract/trackers.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button, LinkButton } from "../common/elements/button.tsx";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { shownTracker, trackerName, useUnknownDevices } from "../vehicles/refused-trackers.tsx";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { PortNotice, portOf } from "./config-lines.tsx";
import { sendExpectedTracker, type TypedIdentity } from "./identity-form.tsx";
import { lookalikes, type RecipeName, recipeOf } from "./recipes.ts";

export interface SilentProps {
  readonly identity: TypedIdentity;
  /** Null: nobody has said which tracker it is. */
  readonly recipe: RecipeName | null;
  readonly server: TrackerAddress;
  /** It is another tracker. */
  readonly onOther: (identity: TypedIdentity) => void;
  readonly onRecipe: (recipe: RecipeName) => void;
}

/** Nobody has called yet: what may be the reason, the likeliest first. */
export function Silent(props: SilentProps) {
  const { recipe, server, onRecipe } = props;
  const { connect: words } = useAdministrationTexts();
  const { checks } = words;
  const protocol = recipe === null ? null : recipeOf(recipe).protocol;
  const lookalike = recipe === null ? undefined : lookalikes[recipe];
  const port = protocol === null ? null : portOf(server, protocol);
  return (
    <>
      {protocol !== null && <PortNotice protocol={protocol} server={server} />}
      <p className="quiet">{words.silentWhat}</p>
      <OtherCallers {...props} />
      <div>
        <h3>{words.check}</h3>
        <ul className="connect-checks grid gap-1 break">
          <li>{checks.answered}</li>
          <li>{checks.apn}</li>
          <li>{checks.power}</li>
          <li>{checks.digits}</li>
          {port !== null && <li>{checks.port(server.host, String(port))}</li>}
          {server.is_local && <li>{words.local(server.host)}</li>}
          {lookalike !== undefined && (
            <li>
              {words.lookalike(protocolName(recipeOf(lookalike).protocol))}{" "}
              <LinkButton
                onClick={() => onRecipe(lookalike)}
                text={words.tryLookalike(protocolName(recipeOf(lookalike).protocol))}
              />
            </li>
          )}
        </ul>
      </div>
    </>
  );
}

const fewShown = 5;

/** Trackers that called and that no vehicle has: a person may have mistyped a digit. */
function OtherCallers({ identity, onOther }: Pick<SilentProps, "identity" | "onOther">) {
  const { connect: words } = useAdministrationTexts();
  const { submit, error } = useSubmit();
  const own = [identity.imei, identity.id].map(trackerKey);
  const others = useUnknownDevices().filter(
    (tracker) => tracker.protocol !== null && !own.includes(trackerKey(trackerName(tracker))),
  );
  if (others.length === 0) return null;
  const take = async ({ imei, tracker_id }: UnknownDevice) => {
    const other = imei === null ? { imei: identity.imei, id: tracker_id ?? "" } : { imei, id: "" };
    await sendExpectedTracker(other);
    onOther(other);
  };
  return (
    <Notice kind="info">
      <p>{words.others}</p>
      {error !== null && <ErrorNotice error={error} />}
      <ul className="refused-list">
        {others.slice(0, fewShown).map((tracker) => (
          <li key={trackerName(tracker)}>
            <span>{shownTracker(tracker)}</span>
            <Button
              look="small"
              text={words.isThis}
              aria-label={words.isThisLabel(trackerName(tracker))}
              onClick={() => submit(() => take(tracker))}
            />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
