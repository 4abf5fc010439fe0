import { type AlertType, alertKind, alertTypes } from "../../../domain/alert-types.ts";
import type { ListedRule } from "../../../domain/alerts/listed-rules.ts";
import { readRule, tyreRulesByAxle } from "../../../domain/alerts/read-rule.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import { Button } from "../common/elements/button.tsx";
import { CardTable } from "../common/tables/card-table.tsx";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { CoverageNote } from "./coverage-note.tsx";
import { ruleWords, sourceWords } from "./rule-words.ts";
import type { RulesOfPage } from "./rules-api.ts";
import { isOwn, rulesInScope } from "./scope-rules.ts";

interface RulesTableProps {
  readonly rules: RulesOfPage;
  readonly onEdit: (type: AlertType) => void;
  readonly onReplaced: () => void;
}

export function RulesTable({ rules, onEdit, onReplaced }: RulesTableProps) {
  const { rules: words, alerts } = useAdministrationTexts();
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
              {ofType(type).map((rule) => (
                <RuleInWords key={JSON.stringify(rule)} rule={rule} />
              ))}
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
      ]}
      actionsOf={(type) => (
        <Button
          look="small"
          text={words.change}
          aria-label={words.changeType(alerts.types[type])}
          onClick={() => onEdit(type)}
        />
      )}
    />
  );
}

function RuleInWords({ rule }: { readonly rule: ListedRule }) {
  const { rules: words, alerts, show } = useAdministrationTexts();
  const fences = useFences();
  const fenceName = (id: string) => fences?.byId.get(id)?.name ?? "…";
  const { severity: usual, source } = alertKind(rule.alertType);
  const isOn = rule.enabled && (source === "crossing" ? rule.geofenceIds.length > 0 : judges(rule));
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

/** Whether it can raise an alert: a limit may be missing. */
function judges(rule: ListedRule): boolean {
  return readRule(rule) !== null || tyreRulesByAxle(rule).size > 0;
}
