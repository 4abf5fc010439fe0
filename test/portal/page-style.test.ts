import { expect, test } from "bun:test";
import { Glob } from "bun";

const folder = `${import.meta.dir}/../../src/portal/page/style`;

test("the size of text, and the widths at which the page is laid out anew, follow what the person has set", async () => {
  const wrong: string[] = [];
  for (const name of new Glob("*.css").scanSync(folder)) {
    const lines = (await Bun.file(`${folder}/${name}`).text()).split("\n");
    for (const [index, line] of lines.entries()) {
      if (/font(-size)?:.*\d(px|pt)\b/.test(line) || /@media.*(width|height): *\d+px/.test(line))
        wrong.push(`${name}:${index + 1} ${line.trim()}`);
    }
  }
  expect(wrong).toEqual([]);
});
