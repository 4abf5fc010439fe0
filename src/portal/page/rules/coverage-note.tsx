import { useState } from "react";
import type { AlertType } from "../../../domain/alert-types.ts";
import { to } from "../../both-sides/address.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { coverageOf } from "./coverage.ts";
import type { RulesOfPage } from "./rules-api.ts";

interface CoverageNoteProps {
  readonly type: AlertType;
  readonly rules: RulesOfPage;
  readonly onReplaced: () => void;
}

/** Says for how many vehicles a tag's rule counts where some have their own, and offers to take these back. */
export function CoverageNote({ type, rules, onReplaced }: CoverageNoteProps) {
  const { rules: words, alerts, show } = useAdministrationTexts();
  const devices = useDevices();
  const [isAsking, setAsking] = useState(false);
  const isSet = rules.scope.rules.some(({ alert_type }) => alert_type === type);
  const coverage = devices && isSet ? coverageOf(rules, type, devices) : null;
  if (coverage === null || coverage.inForce === coverage.vehicles) return null;
  const { own, inForce, vehicles } = coverage;
  const name = alerts.types[type];
  const replace = async () => {
    await send(to("POST /fleet/rules/{id}/replace-own", { id: rules.scope.id }), { alert_type: type, vehicles: own });
    setAsking(false);
    announce(words.replaced(own, show.number(own)));
    onReplaced();
  };
  return (
    <li className="rule-coverage">
      <span className="quiet">
        {words.coverage(show.number(inForce), show.number(vehicles), own, show.number(own))}
      </span>
      {own > 0 && <Button look="small" text={words.replaceOwn} of={name} onClick={() => setAsking(true)} />}
      {isAsking && (
        <ConfirmDialog
          title={words.replaceTitle(own, show.number(own), name)}
          words={[words.replaceOwn, words.replacing]}
          work={replace}
          onClose={() => setAsking(false)}
        >
          <p>{words.replaceText(own, show.number(own))}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
