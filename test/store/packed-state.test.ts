import { expect, test } from "bun:test";
import { packState, stateDictionary, unpackState } from "../../src/store/facts/packed-state.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("packed states");

test("a state that was packed is read again to the last digit", () => {
  const random = randomNumbers(seed);
  for (let round = 0; round < 500; round++) {
    const [from, until] = [Math.floor(random() * stateDictionary.length), Math.floor(random() * 4_000)];
    const codes = Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 0xd7ff));
    const text = stateDictionary.slice(from, from + until) + String.fromCharCode(...codes) + String(random());
    expect(unpackState(packState(text))).toBe(text);
  }
});

test("what has been stored can be read for ever: the text that states are compressed with never changes", () => {
  const hash = new Bun.CryptoHasher("sha256").update(stateDictionary).digest("hex");
  expect(hash).toBe("3fc39805304bb70744b1019e359b56458dcfe3026f455d49f34c4b47a8454711");
  const packed =
    "0128b52ffd209d650100683137393438313131363734353309002093dfc590717596200e088345a0826643028201020f07e09e1b0201";
  expect(unpackState(Uint8Array.fromHex(packed))).toBe(
    '{"rules":2,"judge":{"anchor":null,"prev":null,"base":null,"chains":[],"pending":[]},' +
      '"stages":{"alerts":{"episodes":[],"towedTrip":1794811167453,"tanks":[]}}}',
  );
});

test("a form that is not known is refused", () => {
  expect(() => unpackState(new Uint8Array([2, 40, 181]))).toThrow("a state of form 2 is not known");
});
