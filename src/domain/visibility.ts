/** Who looks, and so what may be seen: the owner sees all devices, a sub-account those assigned. Queries require one. */
export type Visibility =
  | { readonly sees: "account"; readonly accountId: number; readonly userId: string }
  | { readonly sees: "assigned"; readonly accountId: number; readonly userId: string };

/** The key of a viewer's entries in a cache. It includes the role, since another node may know of a new role already. */
export function viewerKey({ sees, userId }: Visibility): string {
  return `${sees} ${userId}`;
}

export function visibilityOf(user: { accountId: number; id: string; role: "owner" | "sub_account" }): Visibility {
  return { sees: user.role === "owner" ? "account" : "assigned", accountId: user.accountId, userId: user.id };
}
