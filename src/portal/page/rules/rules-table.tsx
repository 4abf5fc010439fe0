import { useState } from "react";
import { type AlertType, alertKind, alertTypes } from "../../../domain/alert-types.ts";
import type { ListedRule } from "../../../domain/alerts/listed-rules.ts";
import { readRule, tyreRulesByAxle } from "../../../domain/alerts/read-rule.ts";
import { to } from "../../both-sides/address.ts";
import type { NotificationsAnswer } from "../../both-sides/contract/notifications.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import { send } from "../api/request.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { useSession } from "../common/session.ts";
import { CardTable } from "../common/tables/card-table.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { coverageOf } from "./coverage.ts";
import { isMailed, ruleMailOf, severitiesOfRules } from "./rule-mail.ts";
import { ruleWords, sourceWords } from "./rule-words.ts";
import type { RulesOfPage } from "./rules-api.ts";
import { isOwn, rulesInScope } from "./scope-rules.ts";

interface RulesTableProps {
  readonly rules: RulesOfPage;
  /** Null: not known yet. */
  readonly mails: NotificationsAnswer | null;
  /** Switched on: what is off begins so. */
  readonly onEdit: (type: AlertType, isSwitchedOn: boolean) => void;
  readonly onReplaced: () => void;
}

export function RulesTable({ rules, mails, onEdit, onReplaced }: RulesTableProps) {
  const { rules: words, notifications, alerts } = useAdministrationTexts();
  const { feeds } = notifications;
  const { inForce } = rulesInScope(rules);
  const { id } = rules.scope;
  const ofType = (type: AlertType) => inForce.filter(({ alertType }) => alertType === type);
  return (
    <CardTable
      caption={words.title}
      className="rules-table"
      rows={alertTypes}
      keyOf={(type) => type}
      marksOf={(type) => ({ "data-type": type })}
      columns={[
        { label: words.type, cell: (type) => alerts.types[type] },
        {
          label: words.inForce,
          cell: (type) => (
            <ul className="rules-in-force column gap-1">
              <FewRules rules={ofType(type)} />
              <CoverageNote type={type} rules={rules} onReplaced={onReplaced} />
            </ul>
          ),
        },
        {
          label: words.setFor,
          cell: (type) => (
            <span className={ofType(type).some((rule) => isOwn(rule, id)) ? "badge rules-own" : "badge"}>
              {[...new Set(ofType(type).map((rule) => sourceWords(rule, id, words)))].join(", ")}
            </span>
          ),
        },
        {
          label: words.mail.mailedTo,
          cell: (type) =>
            mails?.sends_mail && <MailedTo type={type} rules={ofType(type)} scope={rules.scope} mails={mails} />,
        },
      ]}
      actionsOf={(type) => {
        const isOff = !ofType(type).some(raises);
        const name = alerts.types[type];
        return (
          <Button
            look="small"
            text={isOff ? feeds.switchOn : words.change}
            aria-label={isOff ? feeds.switchOnType(name) : words.changeType(name)}
            onClick={() => onEdit(type, isOff)}
          />
        );
      }}
    />
  );
}

/** A hundred fences with a limit of their own are a hundred rules: the first are shown, the others when they are asked for. */
function FewRules({ rules }: { readonly rules: readonly ListedRule[] }) {
  const { rules: words, show } = useAdministrationTexts();
  const lines = rules.map((rule) => <RuleInWords key={JSON.stringify(rule)} rule={rule} />);
  if (lines.length <= fewRules + 1) return lines;
  const more = lines.length - fewRules;
  return (
    <>
      {lines.slice(0, fewRules)}
      <li>
        <details className="more-rules">
          <summary>{words.moreRules(more, show.number(more))}</summary>
          <ul className="column gap-1">{lines.slice(fewRules)}</ul>
        </details>
      </li>
    </>
  );
}

const fewRules = 5;

function RuleInWords({ rule }: { readonly rule: ListedRule }) {
  const { rules: words, alerts, show } = useAdministrationTexts();
  const fences = useFences();
  const fenceName = (id: string) => fences?.byId.get(id)?.name ?? "…";
  const { severity: usual } = alertKind(rule.alertType);
  const isOn = raises(rule);
  const severity = rule.severity ?? usual;
  return (
    <li>
      <span className={isOn ? undefined : "quiet"}>{ruleWords(rule, { show, words, fenceName })}</span>
      {isOn && (
        <span className={`rule-severity severity-${severity}`}>
          <SeveritySign severity={severity} />
          {alerts.severities[severity]}
        </span>
      )}
    </li>
  );
}

interface MailedToProps {
  readonly type: AlertType;
  readonly rules: readonly ListedRule[];
  readonly scope: RulesOfPage["scope"];
  readonly mails: NotificationsAnswer;
}

/** Who is mailed of all that the rules raise. Nothing where they are off. */
function MailedTo({ type, rules, scope, mails }: MailedToProps) {
  const { rules: words, show } = useAdministrationTexts();
  const { user } = useSession();
  const severities = severitiesOfRules(rules);
  if (severities.length === 0) return null;
  const names = mails.people
    .filter(({ user_id }) => {
      const own = mails.data.filter((choice) => choice.user_id === user_id);
      return isMailed(ruleMailOf({ type, severities, scope }, own));
    })
    .map(({ user_id, name }) => (user_id === user.user_id ? words.mail.you : name))
    .sort(show.compare);
  if (names.length === 0) return <span className="quiet">{words.mail.nobody}</span>;
  return <span>{names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ", …" : "")}</span>;
}

/** More names than anybody reads in a row. */
const maxNamed = 3;

/** Whether it can raise an alert: a limit may be missing, or a fence. */
function raises(rule: ListedRule): boolean {
  if (!rule.enabled) return false;
  if (alertKind(rule.alertType).source === "crossing") return rule.geofenceIds.length > 0;
  return readRule(rule) !== null || tyreRulesByAxle(rule).size > 0;
}

interface CoverageNoteProps {
  readonly type: AlertType;
  readonly rules: RulesOfPage;
  readonly onReplaced: () => void;
}

/** Says for how many vehicles a tag's rule counts where some have their own, and offers to take these back. */
function CoverageNote({ type, rules, onReplaced }: CoverageNoteProps) {
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
