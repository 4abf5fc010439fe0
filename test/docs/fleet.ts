import { blocksOf } from "./blocks.ts";

/** The complete example of the fleet file's page, which the other pages begin with. */
export const completeFleet = `${
  blocksOf("docs/fleet-file.md").findLast(
    ({ language, text }) => language === "json" && text.includes('"type":"account"'),
  )?.text
}\n`;

/** The pages are followed faster than any person could. */
export const unhurriedFleet = completeFleet.replace(/"per_second":\d+/, '"per_second":1000');
