import { blocksOf } from "./blocks.ts";

/** The complete example of the fleet file's page, which the other pages begin with. */
export const completeFleet = `${
  blocksOf("docs/fleet-file.md").findLast(
    ({ language, text }) => language === "json" && text.includes('"type":"account"'),
  )?.text
}\n`;
