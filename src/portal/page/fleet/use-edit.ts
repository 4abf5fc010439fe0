import { useCallback, useEffect, useState } from "react";
import type { CallTarget } from "../../both-sides/address.ts";
import type { AnswerTo, EditName, PreviewableName, PreviewOf, SentTo } from "../../both-sides/contract/contract.ts";
import { PortalError, preview, send } from "../api/request.ts";

/** What a form is about to send. */
export interface PendingEdit<Name extends PreviewableName> {
  readonly target: CallTarget<Name>;
  readonly body: SentTo<Name>;
}

/** What another person has stored in the meantime. */
export interface SeenConflict {
  readonly current: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/**
 * Says what an edit would concern while a person makes it, then saves it. Null: nothing to save, as long as nothing has
 * changed.
 */
export function useEdit<Name extends EditName>(pending: PendingEdit<Name> | null) {
  const { preview, error, fail } = usePreview(pending);
  const [conflict, setConflict] = useState<SeenConflict | null>(null);
  const [isSaving, setSaving] = useState(false);
  /** Null: it was refused. After a conflict, `revision` is that of the conflict. `also` is sent beside the fields. */
  const save = async (revision?: number, also?: Partial<SentTo<Name>>): Promise<AnswerTo<Name>["data"] | null> => {
    if (pending === null) return null;
    setSaving(true);
    setConflict(null);
    fail(null);
    const { target, body } = pending;
    try {
      return (await send(target, { ...body, ...(revision === undefined ? {} : { revision }), ...also })).data;
    } catch (cause) {
      const found = conflictOf(cause);
      if (found === null) fail(cause);
      else setConflict(found);
      return null;
    } finally {
      setSaving(false);
    }
  };
  return {
    /** What saving would concern; null: not known yet, or nothing has changed. */
    effect: preview?.effect ?? null,
    isSaving,
    // A conflict of the preview matters at saving only.
    error: conflictOf(error) === null ? error : null,
    conflict,
    save,
    forgetConflict: () => setConflict(null),
  };
}

/** What is stored now, if the error says that another person was faster. */
export function conflictOf(error: unknown): SeenConflict | null {
  if (!(error instanceof PortalError) || error.code !== "CONFLICT") return null;
  const { current, revision } = error.details;
  if (typeof revision !== "number" || typeof current !== "object" || current === null) return null;
  return { current: current as SeenConflict["current"], revision };
}

/** For what is done to a record as a whole: after a conflict it is meant for what is stored now. */
export function useSeen(opened: number) {
  const [conflict, setConflict] = useState<SeenConflict | null>(null);
  /** Returns whether the error is a conflict, which is then shown. */
  const take = useCallback((error: unknown) => {
    const found = conflictOf(error);
    if (found !== null) setConflict(found);
    return found !== null;
  }, []);
  const forget = useCallback(() => setConflict(null), []);
  return { revision: conflict?.revision ?? opened, conflict, take, forget };
}

interface Answer<Preview> {
  readonly request: string | null;
  readonly preview: Preview | null;
  /** Why the preview was refused, or the request itself. */
  readonly error: unknown;
}

const none = { request: null, preview: null, error: null };

/** A person should not see the preview jump at each letter. */
const pauseMs = 400;

/** Asks what a request would do while a person prepares it. Null: there is nothing to send. */
export function usePreview<Name extends PreviewableName>(planned: PendingEdit<Name> | null) {
  type Previewed = PreviewOf<Name>["data"];
  const [answer, setAnswer] = useState<Answer<Previewed>>(none);
  const request = planned && JSON.stringify(planned);
  const update = useCallback(
    (part: Partial<Answer<Previewed>>) =>
      setAnswer((before) => ({ ...(before.request === request ? before : none), request, ...part })),
    [request],
  );
  useEffect(() => {
    if (request === null) return;
    const { target, body }: PendingEdit<Name> = JSON.parse(request);
    // The server looks at one at a time: a preview that waits for its turn ends when the form has changed since.
    const outdated = new AbortController();
    const timer = setTimeout(async () => {
      const answered = await preview(target, body, outdated.signal).then(
        ({ data }) => ({ preview: data }),
        (error) => ({ error }),
      );
      if (!outdated.signal.aborted) update(answered);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [request, update]);
  const { preview: previewed, error } = answer.request === request ? answer : none;
  /** Says why the request itself was refused, until it is another one. */
  const fail = (error: unknown) => update({ error });
  return { preview: previewed, error, fail };
}
