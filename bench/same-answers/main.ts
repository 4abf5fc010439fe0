/** Shows that two versions of the program give the same answers. `--help` says how; docs/comparing-versions.md says what is compared. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SharedClock } from "./clock.ts";
import { Comparison } from "./comparison.ts";
import { comparedFleet } from "./fleet.ts";
import { help, type Options, readOptions } from "./options.ts";
import { play } from "./play.ts";
import { makeStores } from "./stores.ts";
import { Version } from "./version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function compareVersions(options: Options): Promise<boolean> {
  const { seed, engine } = options;
  const scratch = await mkdtemp(join(tmpdir(), "odograph-same-answers-"));
  const fleet = comparedFleet(options);
  const clockPath = join(scratch, "clock");
  const clock = new SharedClock(clockPath, fleet.beginAt);
  const stores = await makeStores(engine, scratch, clock);
  const versionOf = (name: "before" | "after") =>
    new Version({
      name,
      root: resolve(options[name]),
      env: stores[name],
      clockPath,
      seed,
      logPath: join(scratch, `${name}.log`),
    });
  const versions = [versionOf("before"), versionOf("after")] as const;
  const comparison = new Comparison(...versions, clock);
  console.log(`seed ${seed}, ${engine}: ${options.before} against ${options.after}; logs in ${scratch}`);
  let isSame = false;
  try {
    await play({ comparison, versions, clock, fleet, options });
    const { answer, message } = comparison.differences;
    console.log(`\n${comparison.countLines().join("\n")}`);
    console.log(comparison.differenceLines().join("\n"));
    console.log(
      `${comparison.compared} answers compared: ${answer} differ${message > 0 ? `, ${message} in the words of a message only` : ""}`,
    );
    isSame = answer === 0 && (message === 0 || options.messagesMayDiffer);
  } finally {
    await Promise.all(versions.map((version) => version.stop()));
    await stores.remove();
    if (isSame) await rm(scratch, { recursive: true, force: true });
  }
  if (!isSame) console.log(`seed ${seed} repeats it`);
  return isSame;
}

/** A wrong call needs no stack trace. */
function optionsOfCall(): Options | null {
  try {
    return readOptions(process.argv.slice(2), root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

const options = optionsOfCall();
if (options === null) console.log(help);
else {
  try {
    process.exitCode = (await compareVersions(options)) ? 0 : 1;
  } catch (error) {
    console.error(error);
    process.exitCode = 2;
  }
}
