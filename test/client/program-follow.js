// Says when it has begun to follow, and what the first changes are.
import { OdographClient } from "odograph-client";

const [url, key] = process.argv.slice(2);
const odograph = new OdographClient({ url, key });

for await (const { isStart, changes } of odograph.follow({ types: ["position"] }, { intervalS: 0.1 })) {
  if (isStart) console.log("started");
  if (changes.length === 0) continue;
  console.log(JSON.stringify(changes.map(({ record }) => record.recorded_at)));
  break;
}
