/** What requests for our own tiles prove who asks with. Of a session, the cookie is the proof. */
export type TileHeaders = Readonly<Record<string, string>>;

/** Only our own tiles get them: a style of another site must never see a proof. Pure. */
export function headersFor(url: string, page: string, headers: TileHeaders): TileHeaders {
  const { origin, pathname } = new URL(url, page);
  return origin === new URL(page).origin && pathname.startsWith("/portal/tiles/") ? headers : {};
}
