import { type FormEvent, useMemo, useState } from "react";
import type { AlertType } from "../../../domain/alert-types.ts";
import { to } from "../../both-sides/address.ts";
import type { NotificationsAnswer } from "../../both-sides/contract/notifications.ts";
import type { RuleLine, ScopeRules } from "../../both-sides/contract/rules.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { showFirstProblem } from "../common/fields/first-problem.ts";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { coverageOf } from "./coverage.ts";
import { type DraftRule, emptyDraft, isSet, type NumberOf, ruleDraftOf, ruleLineOf, switchedOn } from "./draft-rule.ts";
import { MailEffect, MailFields } from "./mail-fields.tsx";
import { shownNumber } from "./parameter-units.ts";
import { RuleFields } from "./rule-fields.tsx";
import { severitiesOfRules } from "./rule-mail.ts";
import { ruleWords, sourceWords } from "./rule-words.ts";
import { isEarlierStart, type RulesOfPage, readLine, validFromOf, whyNoStart } from "./rules-api.ts";
import { rulesInScope, tagOf } from "./scope-rules.ts";
import { useRuleMails } from "./use-rule-mails.ts";

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
export default function RuleDialog({
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
    return { scope: rules.scope, stored, opened, drafts, ...nothing };
  });
  const change = (changed: Partial<RuleForm>) => kept.setForm((before) => ({ ...before, ...changed }));
  const { scope, stored, opened, drafts, wishes, isStored, isReset, firstDay } = kept.form;
  const own = scope.rules.filter((line) => line.alert_type === type);
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
  const ofType = (listed: typeof inForce) => listed.filter(({ alertType }) => alertType === type);
  const next = isReset ? ofType(inherited) : (lines?.map(readLine) ?? null);
  const severities = next && severitiesOfRules(next);
  const mailing = useRuleMails({
    mails,
    wishes,
    onWishes: (changed) => change({ wishes: changed }),
    alerts: { type, scope },
    severitiesNow: severitiesOfRules(ofType(inForce)),
    severities,
  });
  const store = async (revision?: number) => {
    if ((await edit.save(revision)) === null) return;
    change({ isStored: true });
    if (await mailing.store()) onSaved();
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIncomplete(lines === null);
    if (lines === null) showFirstProblem(event.currentTarget);
    // What is wrong or without effect is said; closing would look as if it were saved.
    if (lines === null || validFrom === null || (isIdleStart && !isStored)) return;
    if (isStored || !isChanged) {
      if (wishes.size === 0) return close();
      if ((await mailing.check()) && (await mailing.store())) onSaved();
    } else if (await mailing.check()) await store();
  };
  // The table must show what is stored, whatever has become of the mails.
  const close = () => (isStored ? onSaved() : onClose());
  const coverage = devices && coverageOf(rules, type, devices);
  const fenceName = (id: string) => fences?.byId.get(id)?.name ?? "…";
  const linesInWords = (lines: readonly RuleLine[]) =>
    lines
      .map((line) => {
        const severity = line.severity === undefined ? "" : `, ${texts.alerts.severities[line.severity]}`;
        return ruleWords(readLine(line), { show, words, fenceName }) + severity;
      })
      .join("; ");
  const above = ofType(inherited);
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
      onClose={close}
      error={null}
      isBusy={edit.isSaving || mailing.isBusy}
      isDisabled={edit.conflict !== null}
      isBack={kept.isBack}
      words={[texts.common.save, texts.common.saving, isStored ? texts.common.close : undefined]}
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
          <MailEffect {...mailing} />
          {edit.error !== null && <ErrorNotice error={edit.error} />}
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
          {drafts.map((draft, index) => (
            <RuleFields
              key={draft.key}
              type={type}
              draft={draft}
              numberOf={numberOf}
              isFirst={index === 0}
              isFolded={stored.length > fewRules && stored.some(({ key }) => key === draft.key)}
              wasIncomplete={wasIncomplete}
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
          alerts={{ type, severities: severities ?? [], scope }}
          mails={mails}
          wishes={wishes}
          onWish={mailing.wish}
        />
      )}
      <SinceChoice day={firstDay} onChange={(firstDay) => change({ firstDay })} />
    </FormDialog>
  );
}

/** Of more, their fences are shown when they are asked for. */
const fewRules = 3;

/** What a person fills in, and the rules as they were then. */
interface RuleForm {
  readonly scope: ScopeRules;
  /** What was set when the form began. */
  readonly stored: readonly DraftRule[];
  /** The same in lines; null: it was not complete. */
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
  return isSwitchedOn ? switchedOn(type, stored) : stored;
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
