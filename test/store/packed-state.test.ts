import { expect, test } from "bun:test";
import { packState, unpackState } from "../../src/store/packed-state.ts";
import { stateDictionary } from "../../src/store/state-dictionary.ts";
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
  expect(hash).toBe("5713250ea13fe17fb7cc589837e6f384401f57be038f38c721e0a3d22609bdc1");
  const packed =
    "0128b52ffd2060ad0100f8373332303737333934342c302c31383230303034343438313131363734353306001a8388ca82d701661f062d" +
    "e0152c5a5709b402";
  expect(unpackState(Uint8Array.fromHex(packed))).toBe(
    '{"days":[{"day":20773,"sums":[20773944,0,1820000,0,4],"maxima":[45,1794811167453]}],"trip":null}',
  );
});

test("a form that is not known is refused", () => {
  expect(() => unpackState(new Uint8Array([2, 40, 181]))).toThrow("a state of form 2 is not known");
});
