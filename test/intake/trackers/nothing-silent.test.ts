import { describe, expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { circle } from "../../support/circles.mjs";
import { fieldFiles } from "../../support/trackers/field/all.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { silentRuns } from "../../support/trackers/silent-bytes.ts";
import { wrappings } from "../../support/trackers/wrappings.ts";

/** The first circle takes one in so many messages, other ones each day; the rest takes all. */
const oneIn = circle() === "first" ? 12 : 1;
const today = Math.floor(Date.now() / 86_400_000);

describe.each(trackerProtocols)("%s: each byte of a message from the field", (name) => {
  const family = families[name];

  test.each(fieldFiles[name])("is read, or has a name in unread ($file)", ({ file, form }) => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, form));
    const chosen = fieldMessages(file).filter((_, index) => (index + today) % oneIn === 0);
    const silent = chosen.flatMap(({ model, message, before = [] }) => {
      let session = family.begin();
      for (const earlier of before) session = family.decode(bytes(earlier), session, receivedAt).session;
      const runs = silentRuns(family, bytes(message), session, wrappings[name]);
      return runs.map((run) => `${model}: ${Buffer.from(run.bytes).toString(form)} at ${run.from} of ${message}`);
    });
    expect(silent).toEqual([]);
  });
});
