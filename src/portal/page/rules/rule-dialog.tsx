import { type FormEvent, useMemo, useState } from "react";
import type { AlertType } from "../../../domain/alert-types.ts";
import { to } from "../../both-sides/address.ts";
import type { NotificationsAnswer } from "../../both-sides/contract/notifications.ts";
import type { RuleLine, ScopeRules } from "../../both-sides/contract/rules.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { getJson } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { coverageOf } from "./coverage.ts";
import { type DraftRule, emptyDraft, type NumberOf, ruleDraftOf, ruleLineOf } from "./draft-rule.ts";
import { MailFields } from "./mail-fields.tsx";
import { shownNumber } from "./parameter-units.ts";
import { RuleFields } from "./rule-fields.tsx";
import { isMailed, ruleMailOf, severitiesOfRules, startMailing, stopMailing } from "./rule-mail.ts";
import { ruleWords, sourceWords } from "./rule-words.ts";
import { isEarlierStart, type RulesOfPage, readLine, validFromOf, whyNoStart } from "./rules-api.ts";
import { rulesInScope, tagOf } from "./scope-rules.ts";

interface RuleDialogProps {
  readonly type: AlertType;
  readonly rules: RulesOfPage;
  /** A fence that gets a rule of its own to begin with. */
  readonly watched: string | null;
  /** Whether a rule that is off begins switched on. */
  readonly isSwitchedOn: boolean;
  /** Null: not known yet. */
  readonly mails: NotificationsAnswer | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  readonly onTakeTheirs: () => void;
}

/** The rules of one type of alert, for whom the page is about. The rules of other types stay as they are. */
export function RuleDialog({
  type,
  rules,
  watched,
  isSwitchedOn,
  mails,
  onClose,
  onSaved,
  onTakeTheirs,
}: RuleDialogProps) {
  const texts = useAdministrationTexts();
  const { rules: words, show } = texts;
  const fences = useFences();
  const devices = useDevices();
  const { inForce, inherited } = useMemo(() => rulesInScope(rules), [rules]);
  const numberOf: NumberOf = (name) => shownNumber(type, name, show, words);
  const kept = useKeptForm<RuleForm>(`rule ${rules.scope.id} ${type}`, () => {
    const isOwn = rules.scope.rules.some((line) => line.alert_type === type);
    const stored = draftsOf(type, isOwn, inForce, numberOf);
    const drafts = beginning(type, stored, watched, isSwitchedOn);
    const opened = linesOf(type, stored, numberOf);
    const nothing = { wishes: new Map(), isStored: false, isReset: false, firstDay: null };
    return { scope: rules.scope, opened, drafts, ...nothing };
  });
  const change = (changed: Partial<RuleForm>) => kept.setForm((before) => ({ ...before, ...changed }));
  const { scope, opened, drafts, wishes, isStored, isReset, firstDay } = kept.form;
  const own = scope.rules.filter((line) => line.alert_type === type);
  const mailing = useSubmit();
  const [wasIncomplete, setIncomplete] = useState(false);

  const lines = isReset ? [] : linesOf(type, drafts, numberOf);
  const isOther = lines !== null && (isReset || JSON.stringify(lines) !== JSON.stringify(opened));
  const validFrom = validFromOf(firstDay, show.zone, Date.now());
  const isChanged = isOther || (lines !== null && isEarlierStart(scope, type, validFrom));
  const isIdleStart = validFrom != null && lines !== null && !isChanged;
  // The rules of other types stay as they are, also those that another person stores meanwhile.
  const fields = {
    alert_type: type,
    rules: lines ?? [],
    ...(validFrom == null ? {} : { valid_from: validFrom }),
  };
  const target = to("PUT /fleet/rules/{id}", { id: scope.id });
  const edit = useEdit(isChanged && validFrom !== null ? { target, body: { revision: scope.revision, fields } } : null);
  const raised = lines === null ? null : severitiesOfRules(lines.map(readLine));
  const alerts = raised !== null && raised.length > 0 ? { type, severities: raised, scope } : null;
  const storeMails = () =>
    mailing.submit(async () => {
      const { data } = await getJson("GET /notifications");
      for (const [userId, isWanted] of alerts === null ? [] : wishes) {
        const own = data.filter(({ user_id }) => user_id === userId);
        const mail = ruleMailOf({ type, severities: raised ?? [], scope }, own);
        if (isWanted && !isMailed(mail)) await startMailing(userId, { type, severities: raised ?? [], scope }, own);
        if (!isWanted) await stopMailing(mail, type);
      }
      onSaved();
    });
  const store = async (revision?: number) => {
    if ((await edit.save(revision)) === null) return;
    change({ isStored: true });
    await storeMails();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIncomplete(lines === null);
    // What is wrong or without effect is said; closing would look as if it were saved.
    if (lines === null || validFrom === null || (isIdleStart && !isStored)) return;
    if (isStored || !isChanged) return wishes.size === 0 ? onClose() : storeMails();
    await store();
  };
  const coverage = devices && coverageOf(rules, type, devices);
  const fenceName = (id: string) => fences?.byId.get(id)?.name ?? "…";
  const linesInWords = (lines: readonly RuleLine[]) =>
    lines
      .map((line) => {
        const severity = line.severity === undefined ? "" : `, ${texts.alerts.severities[line.severity]}`;
        return ruleWords(readLine(line), { show, words, fenceName }) + severity;
      })
      .join("; ");
  const above = inherited.filter(({ alertType }) => alertType === type);
  const aboveWords = above.map((rule) => ruleWords(rule, { show, words, fenceName })).join("; ");
  const aboveSource = [...new Set(above.map((rule) => sourceWords(rule, scope.id, words)))].join(", ");
  const whom = () => {
    if (scope.id === "all") return words.forAll;
    const tag = tagOf(scope.id);
    return tag === null ? (devices?.get(scope.id)?.name ?? "…") : words.forTag(tag);
  };
  return (
    <FormDialog
      title={`${texts.alerts.types[type]}, ${whom()}`}
      wide
      onClose={onClose}
      error={null}
      isBusy={edit.isSaving || mailing.isBusy}
      isDisabled={edit.conflict !== null}
      isBack={kept.isBack}
      words={[texts.common.save, texts.common.saving]}
      onSubmit={save}
      outcome={
        // A style hides it while it says nothing.
        <div className="rule-outcome column gap-2">
          {isIdleStart && (
            <Notice kind="info">{whyNoStart(scope, type, words, (at) => show.time(at, "minute"))}</Notice>
          )}
          {isOther && !isReset && coverage !== null && coverage.own > 0 && (
            <p className="hint">
              {words.coverage(
                show.number(coverage.inForce),
                show.number(coverage.vehicles),
                coverage.own,
                show.number(coverage.own),
              )}
            </p>
          )}
          <EffectNote effect={edit.effect} />
          {edit.error !== null && <ErrorNotice error={edit.error} />}
          {mailing.error !== null && <ErrorNotice error={mailing.error} />}
          {wasIncomplete && lines === null && <Notice kind="error">{words.incomplete}</Notice>}
        </div>
      }
    >
      {edit.conflict && (
        <ConflictNotice
          conflict={{ ...edit.conflict, current: byType(currentRules(edit.conflict.current)) }}
          opened={byType(scope.rules)}
          fieldName={(name) => texts.alerts.types[name as AlertType]}
          fieldValue={(_, value) => linesInWords((value ?? []) as readonly RuleLine[])}
          mine={{ [type]: lines ?? [] }}
          onSave={(revision) => store(revision)}
          onTakeTheirs={onTakeTheirs}
        />
      )}
      {isReset ? (
        <Notice kind="info">
          <p>{words.afterReset(aboveSource, aboveWords)}</p>
          <Button look="small" text={words.keepRule} onClick={() => change({ isReset: false })} />
        </Notice>
      ) : (
        <>
          {drafts.map((draft) => (
            <RuleFields
              key={draft.key}
              type={type}
              draft={draft}
              numberOf={numberOf}
              onChange={(changed) =>
                change({ drafts: drafts.map((other) => (other.key === draft.key ? changed : other)) })
              }
              onRemove={drafts.length > 1 ? () => change({ drafts: drafts.filter((other) => other !== draft) }) : null}
            />
          ))}
          <div className="button-row">
            <Button
              look="small"
              text={words.addRule}
              onClick={() => change({ drafts: [...drafts, emptyDraft(type)] })}
            />
            {own.length > 0 && (
              <Button look="small" text={words.resetTo(aboveSource)} onClick={() => change({ isReset: true })} />
            )}
          </div>
        </>
      )}
      {mails !== null && drafts.some(({ enabled }) => enabled) && !isReset && (
        <MailFields
          alerts={alerts ?? { type, severities: [], scope }}
          mails={mails}
          wishes={wishes}
          onWish={(userId, isWanted) => change({ wishes: new Map([...wishes, [userId, isWanted]]) })}
        />
      )}
      <SinceChoice day={firstDay} onChange={(firstDay) => change({ firstDay })} />
    </FormDialog>
  );
}

/** What a person fills in, and the rules as they were then. */
interface RuleForm {
  readonly scope: ScopeRules;
  /** What was set when the form began; null: it was not complete. */
  readonly opened: readonly RuleLine[] | null;
  readonly drafts: readonly DraftRule[];
  /** Who is to be mailed, and who no longer. */
  readonly wishes: ReadonlyMap<string, boolean>;
  /** The rule is stored, and only the mails are left. */
  readonly isStored: boolean;
  readonly isReset: boolean;
  /** Null: from now on. */
  readonly firstDay: string | null;
}

function beginning(
  type: AlertType,
  stored: readonly DraftRule[],
  watched: string | null,
  isSwitchedOn: boolean,
): readonly DraftRule[] {
  if (watched !== null) return [...stored.filter(isSet), watching(watched)];
  const isOff = stored.every(({ enabled }) => !enabled);
  return isSwitchedOn && isOff ? [...stored.filter(isSet), emptyDraft(type)] : stored;
}

/** A default that raises nothing by itself is no rule beside others. */
function isSet({ enabled, geofenceIds }: DraftRule): boolean {
  return enabled || geofenceIds.length > 0;
}

function watching(fence: string): DraftRule {
  return { ...emptyDraft(), geofenceIds: [fence] };
}

/** Begins with what is in force, whether it was set here or above. */
function draftsOf(
  type: AlertType,
  hasOwn: boolean,
  inForce: ReturnType<typeof rulesInScope>["inForce"],
  numberOf: NumberOf,
): readonly DraftRule[] {
  const ofType = inForce.filter(({ alertType, setFor }) => alertType === type && (!hasOwn || setFor !== null));
  return ofType.map((rule) =>
    rule.setFor === null ? { ...emptyDraft(type), enabled: rule.enabled } : ruleDraftOf(rule, numberOf),
  );
}

/** Null while one of them is not complete. */
function linesOf(type: AlertType, drafts: readonly DraftRule[], numberOf: NumberOf): readonly RuleLine[] | null {
  const lines = drafts.map((draft) => ruleLineOf(type, draft, numberOf));
  return lines.includes(null) ? null : (lines as RuleLine[]);
}

function currentRules(current: Readonly<Record<string, unknown>> | undefined): readonly RuleLine[] {
  return (current?.rules ?? []) as readonly RuleLine[];
}

function byType(rules: readonly RuleLine[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Map.groupBy(rules, ({ alert_type }) => alert_type));
}

function SinceChoice({ day, onChange }: { day: string | null; onChange: (day: string | null) => void }) {
  const { rules: words, fences, common, show } = useAdministrationTexts();
  const { zone } = show;
  const now = Date.now();
  const today = dayAt(now, zone);
  return (
    <div className="field-row">
      <Select
        label={words.since}
        value={day === null ? "now" : "day"}
        onChange={(choice) => onChange(choice === "now" ? null : today)}
        options={[
          ["now", fences.fromNow],
          ["day", words.fromDay],
        ]}
      />
      {day !== null && (
        <Field
          label={words.day}
          type="date"
          required
          max={today}
          value={day}
          hint={common.daysOfZone(zone)}
          problem={validFromOf(day, zone, now) === null ? words.noFuture : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
