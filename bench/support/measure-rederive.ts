import { type FilledStore, monthFrames } from "./filled-store.ts";
import { imeiOf } from "./fleet.ts";
import { type Measure, median, printHead, printRow } from "./measure.ts";
import { odograph } from "./version.ts";

const maxRounds = 3;

/** How long `odograph rederive` takes for a device with 30 days of frames, with the start of the program. */
export const measureRederive: Measure = async (stores, { rounds }) => {
  const seconds = stores.map((): number[] => []);
  const outcomes = new Set<string>();
  for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
    for (const [index, store] of stores.entries()) {
      const { monthImei, size } = store;
      const began = performance.now();
      outcomes.add(await rederive(store, monthImei));
      seconds[index]?.push((performance.now() - began) / 1000);
      // Its facts and states are copies: they must be what its frames lead to.
      outcomes.add(await rederive(store, imeiOf(size.devices)));
    }
  }
  printHead("deriving a device-month again", stores);
  const medians = seconds.map(median);
  printRow(
    "seconds",
    medians.map((each) => each.toFixed(2)),
  );
  printRow(
    "frames a second",
    medians.map((each) => String(Math.round(monthFrames / each))),
  );
  console.log(`it and a copied device said: ${[...outcomes].join("; ")}`);
};

async function rederive({ version, target }: FilledStore, imei: string): Promise<string> {
  return (await odograph(version, target, ["rederive", "--device", imei, "--json"])).trim();
}
