/** Who looks, and so what may be seen. Queries require one. */
export type Visibility = UserVisibility | LinkVisibility;

/** The owner sees all devices, a sub-account those assigned. */
export interface UserVisibility {
  readonly sees: "account" | "assigned";
  readonly accountId: number;
  readonly userId: string;
  /** Of these devices only those with this tag: a list that is narrowed to them. */
  readonly tag?: string;
}

/** A visitor with a share link sees those of its devices that its maker sees, and nothing else of the account. */
export interface LinkVisibility {
  readonly sees: "shared";
  readonly accountId: number;
  /** The link's own id: no user has it, so nothing is assigned to it. */
  readonly userId: string;
  readonly maker: UserVisibility;
  /** By internal number. */
  readonly devices: readonly number[];
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

export function visibilityOf(user: { accountId: number; id: string; role: "owner" | "sub_account" }): UserVisibility {
  return { sees: user.role === "owner" ? "account" : "assigned", accountId: user.accountId, userId: user.id };
}

export function linkVisibility(linkId: string, maker: UserVisibility, devices: readonly number[]): LinkVisibility {
  return { sees: "shared", accountId: maker.accountId, userId: linkId, maker, devices };
}
