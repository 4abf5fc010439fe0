import type { RuleHistory, TagHistory } from "../../domain/alerts/set-rules.ts";

/** What a load changes of one account's rules and tags: how they were before. */
export interface ChangedRules {
  readonly own: Map<number, RuleHistory>;
  readonly tags: Map<number, TagHistory>;
  /** By tag; those for all devices under `forAll`. */
  readonly shared: Map<string, RuleHistory>;
}

export class RuleChanges {
  readonly #byAccount = new Map<number, ChangedRules>();

  ownChanged(accountId: number, device: number, before: RuleHistory): void {
    this.#of(accountId).own.set(device, before);
  }

  tagsChanged(accountId: number, device: number, before: TagHistory): void {
    this.#of(accountId).tags.set(device, before);
  }

  sharedChanged(accountId: number, tag: string, before: RuleHistory): void {
    this.#of(accountId).shared.set(tag, before);
  }

  get accounts(): Iterable<[number, ChangedRules]> {
    return this.#byAccount;
  }

  #of(accountId: number): ChangedRules {
    const changed = this.#byAccount.get(accountId) ?? { own: new Map(), tags: new Map(), shared: new Map() };
    this.#byAccount.set(accountId, changed);
    return changed;
  }
}
