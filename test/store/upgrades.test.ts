import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { startServer } from "../support/ingest-server.ts";
import { runOdograph } from "../support/program.ts";
import { answersOf, contradictions, type RecordedAnswer } from "../support/recorded-answers.ts";
import { fixtureVersions, placeFixture } from "../support/store-fixture.ts";

onEachEngine("a store that a released version wrote", (engine) => {
  for (const version of fixtureVersions) {
    test(`${version}: is opened, and answers as that version did`, async () => {
      const store = await engine.empty();
      const { keys, before } = await placeFixture(version, engine.name, store);
      expect(differences(before, await answersOf(await store.open(), keys))).toEqual([]);
    });

    test(`${version}: takes in the frames that follow, and derives from them what that version did`, async () => {
      const store = await engine.empty();
      const { keys, after, laterFrames } = await placeFixture(version, engine.name, store);
      const loaded = await runOdograph(["load", "-"], { env: store.env, input: laterFrames });
      expect(loaded.code, loaded.stderr).toBe(0);
      const now = await answersOf(await store.open(), keys);
      expect(differences(after.map(withoutMomentOfWriting), now)).toEqual([]);
    });

    test(`${version}: lets in who had a password or a token`, async () => {
      const store = await engine.empty();
      const { signIn, token } = await placeFixture(version, engine.name, store);
      const { url, ingestUrl, stop } = await startServer({ env: store.env });
      const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
      const session = { method: "POST", headers, body: JSON.stringify(signIn) };
      expect((await fetch(`${url}/portal/api/session`, session)).status).toBe(200);
      const frames = { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: "[]" };
      expect(await (await fetch(`${ingestUrl}/frames`, frames)).json()).toEqual({
        accepted: 0,
        duplicate: 0,
        refused: [],
      });
      await stop();
    });
  }
});

/** Enough to see what is wrong. */
const maxShown = 10;

function differences(recorded: readonly RecordedAnswer[], now: readonly RecordedAnswer[]): string[] {
  expect(now.map(({ key, path }) => `${key} ${path}`)).toEqual(recorded.map(({ key, path }) => `${key} ${path}`));
  return recorded
    .flatMap((answer, index) => contradictions(answer, now[index], `${answer.key} ${answer.path}`))
    .slice(0, maxShown);
}

/** When a trip or a day was last written is the only thing that depends on when the test runs. */
function withoutMomentOfWriting(answer: RecordedAnswer): RecordedAnswer {
  return JSON.parse(JSON.stringify(answer, (name, value) => (name === "updated_at" ? undefined : value)));
}
