/** What the server offers to somebody who is not signed in. */
export interface SignInOffers {
  /** Whether it mails links to new passwords. */
  readonly sends_mail: boolean;
  /** Null: people sign in with passwords only. */
  readonly openid: { readonly name: string } | null;
  /** Whether there is no account yet. */
  readonly needs_setup: boolean;
}
