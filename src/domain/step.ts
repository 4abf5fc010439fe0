import type { Fact } from "./facts.ts";

/** What a frame changes in one stage: the state after it, and the facts that it completed. */
export interface Step<State, Completed extends Fact> {
  readonly state: State;
  readonly facts: readonly Completed[];
}

/** Most frames complete nothing: they all share this. */
export const noFacts: readonly never[] = [];

/** A step that completed nothing. */
export function onlyState<State>(state: State): Step<State, never> {
  return { state, facts: noFacts };
}

/** Both lists in this order, without a copy if one is empty. */
export function joinedLists<One, Other>(first: readonly One[], second: readonly Other[]): readonly (One | Other)[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
