import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import { useSession } from "../session.ts";
import { dropForm, isKeptForLater, keepForm, keptForm, noteSignedIn } from "./kept-forms.ts";

/** The state of a form, in which nothing may be secret. */
export interface KeptForm<T> {
  readonly form: T;
  readonly setForm: Dispatch<SetStateAction<T>>;
  /** Whether it began with what a person had typed before. */
  readonly isBack: boolean;
  /** Call it where the form stays or begins anew: what was typed is stored, or no longer wanted. */
  readonly drop: () => void;
}

/**
 * A state that comes back when the session ended in the middle of it, or the page was loaded again. It belongs to `name`, which
 * says what is edited. With what a record was when it was opened in it, a conflict is still found when it is back. It is dropped
 * when the form closes.
 */
export function useKeptForm<T>(name: string, begin: () => T): KeptForm<T> {
  const { user_id } = useSession().user;
  const [[first, isBack]] = useState<readonly [T, boolean]>(() => {
    const kept = keptForm(user_id, name) as T | undefined;
    return kept === undefined ? [begin(), false] : [kept, true];
  });
  const [form, setForm] = useState<T>(first);
  const drop = useKeeping(name, form, form !== first);
  return { form, setForm, isBack, drop };
}

/**
 * Which form a page has open, so that it opens again; null: none. What the address asks for comes first. `isKept` leaves out
 * dialogs that must not open by themselves.
 */
export function useOpenForm<T>(
  name: string,
  begin: () => T | null,
  isKept: (open: T) => boolean = () => true,
): [T | null, Dispatch<SetStateAction<T | null>>] {
  const { user_id } = useSession().user;
  const [open, setOpen] = useState<T | null>(() => begin() ?? ((keptForm(user_id, name) ?? null) as T | null));
  const isOpen = open !== null && isKept(open);
  const drop = useKeeping(name, open, isOpen);
  useEffect(() => {
    if (!isOpen) drop();
  }, [isOpen, drop]);
  return [open, setOpen];
}

function useKeeping(name: string, value: unknown, isWorthIt: boolean): () => void {
  const { user_id } = useSession().user;
  const dropped = useRef<unknown>(null);
  useEffect(() => {
    if (isWorthIt && value !== dropped.current) keepForm(user_id, name, value);
  }, [user_id, name, value, isWorthIt]);
  useEffect(() => {
    noteSignedIn();
    return () => {
      if (!isKeptForLater()) dropForm(user_id, name);
    };
  }, [user_id, name]);
  const latest = useRef(value);
  latest.current = value;
  return useMemo(
    () => () => {
      dropped.current = latest.current;
      dropForm(user_id, name);
    },
    [user_id, name],
  );
}
