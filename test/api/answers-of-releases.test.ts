import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Engine } from "../../src/store/database.ts";
import { onEachEngine } from "../support/engines.ts";
import { startServer } from "../support/ingest-server.ts";
import { brokenDescription } from "../support/kept-description.ts";
import { Promises } from "../support/kept-promises.ts";
import { ask, type Question, type QuestionAnswer } from "../support/questions.ts";
import { keysOf, placeFixture } from "../support/store-fixture.ts";

const directory = join(import.meta.dir, "../fixtures/answers");

interface Asked {
  readonly question: Question;
  readonly answer: QuestionAnswer;
}

/** Made by scripts/answers-fixture.ts, with the released program. */
function recordedBy(version: string, engine: Engine): Asked[] {
  const text = brotliDecompressSync(readFileSync(join(directory, version, "answers.json.br"))).toString();
  return JSON.parse(text)[engine];
}

onEachEngine("a program that was written for", (engine) => {
  for (const version of readdirSync(directory).toSorted()) {
    test(`${version}: is answered as it was then`, async () => {
      const store = await engine.empty();
      const fixture = await placeFixture(version, engine.name, store);
      const server = await startServer({ env: store.env });
      const recorded = recordedBy(version, engine.name);
      const keys = await keysOf(fixture, { env: store.env });
      const questions = recorded.map(({ question }) => question);
      const answers = await ask(server.url, keys, questions);
      const released = recorded.find(({ question }) => question.path === "/v1/openapi.json")?.answer.text ?? "";
      const promises = new Promises(JSON.parse(released));

      const broken = recorded.flatMap(({ question, answer }, index) =>
        promises.broken(question, answer, answers[index] as QuestionAnswer),
      );
      expect(broken).toEqual([]);

      const description = answers[questions.findIndex(({ path }) => path === "/v1/openapi.json")]?.text ?? "";
      expect(brokenDescription(JSON.parse(released), JSON.parse(description))).toEqual([]);

      // A cursor that it was given before the upgrade still leads on.
      const cursors = recorded.flatMap(({ question, answer }) => {
        const cursor = answer.status === 200 && answer.text ? JSON.parse(answer.text).next_cursor : null;
        return cursor && question.key !== null
          ? [{ ...question, path: `${question.path.split("?")[0]}?cursor=${cursor}` }]
          : [];
      });
      expect(cursors.length).toBeGreaterThan(10);
      expect(new Set((await ask(server.url, keys, cursors)).map(({ status }) => status))).toEqual(new Set([200]));
      await server.stop();
    });
  }
});
