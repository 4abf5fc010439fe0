import { afterAll, beforeAll } from "bun:test";
import type { EngineUnderTest } from "./engines.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { mailTo, publicUrl } from "./notified-fleet.ts";
import { sharedPortal } from "./portal.ts";

/** The portal that tests share, and its nodes that send mails to a server of their own. Call it where tests are described. */
export function sharedMailPortal(engine: EngineUnderTest) {
  const given = sharedPortal(engine, { isQuick: true });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());
  return { given, server: () => server, withMail: () => given().node({ mail: mailTo(server.port), publicUrl }) };
}
