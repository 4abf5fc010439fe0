import { test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { circle } from "../../support/circles.mjs";
import { announcedSeed } from "../../support/ingest-seed.ts";
import { randomNumbers } from "../../support/random-drive.ts";
import { fieldBytes } from "../../support/trackers/field/all.ts";
import { fuzzOnce } from "../../support/trackers/stream-rules.ts";

/** Longer ones are mutated as often, and take as many times as long. */
const maxBytes = 400;

/** A million in all where there is time: each family's own tests have a thousand, of one message of each kind. */
const roundsInAll = process.env.ODOGRAPH_TEST_ROUNDS === "long" ? 13_000_000 : circle() === "rest" ? 1_000_000 : 1_300;
const rounds = Math.ceil(roundsInAll / trackerProtocols.length);

test.each(trackerProtocols)("%s: mutated messages from the field do no harm", (name) => {
  const random = randomNumbers(announcedSeed(`mutated messages of ${name}`));
  const messages = fieldBytes(name).filter(({ length }) => length <= maxBytes);
  for (let round = 0; round < rounds; round++) fuzzOnce(families[name], messages, random);
});
