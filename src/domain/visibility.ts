/** Who looks, and so what may be seen: the owner sees all devices, a sub-account those assigned. Queries require one. */
export interface Visibility {
  readonly sees: "account" | "assigned";
  readonly accountId: number;
  readonly userId: string;
  /** Of these devices only those with this tag: a list that is narrowed to them. */
  readonly tag?: string;
}

/** As seen by the same viewer, but only devices with this tag now. */
export function withTag(visibility: Visibility, tag: string | null): Visibility {
  return tag === null ? visibility : { ...visibility, tag };
}

/** The key of a viewer's entries in a cache. It includes the role, since another node may know of a new role already. */
export function viewerKey({ sees, userId }: Visibility): string {
  return `${sees} ${userId}`;
}

export function visibilityOf(user: { accountId: number; id: string; role: "owner" | "sub_account" }): Visibility {
  return { sees: user.role === "owner" ? "account" : "assigned", accountId: user.accountId, userId: user.id };
}
