/** What the server offers to somebody who is not signed in. */
export interface SignInOffers {
  /** Null: people sign in with passwords only. */
  readonly openid: { readonly name: string } | null;
  /** Whether there is no account yet. */
  readonly needs_setup: boolean;
}
