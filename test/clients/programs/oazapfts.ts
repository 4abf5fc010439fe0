// What an integrator would write over the functions that oazapfts generates. Compiled beside them by the test.
import type { ErrorAnswer } from "./oazapfts.generated.ts";
import * as odograph from "./oazapfts.generated.ts";
import { baseUrl, from, key, longWindow, print, to } from "./scenario.ts";

odograph.defaults.baseUrl = baseUrl;
odograph.defaults.headers = { "X-API-Key": key };

class Refused extends Error {
  constructor(readonly answer: ErrorAnswer) {
    super(answer.error.message);
  }
}

await print({
  async devices() {
    const answer = await odograph.listDevices({ status: "active" });
    if (answer.status !== 200) throw new Refused(answer.data);
    return answer.data.data;
  },
  async historyPage(deviceId, cursor) {
    const page = { deviceId, $from: from, to, limit: 2, validOnly: false, ...(cursor === null ? {} : { cursor }) };
    const answer = await odograph.listPositionHistory(page);
    if (answer.status !== 200) throw new Refused(answer.data);
    return answer.data;
  },
  latest: (deviceId, tag) =>
    odograph.listLatestPositions({ deviceId, ...(tag === undefined ? {} : { ifNoneMatch: tag }) }),
  async codes() {
    const missing = await odograph.getDevice("nobody");
    const wrong = await odograph.reportMileage({ $from: "yesterday" });
    return [missing, wrong].flatMap((answer) => (answer.status === 200 ? [] : [answer.data.error.code]));
  },
  async mileage() {
    const answer = await odograph.reportMileage({ $from: longWindow.from, to: longWindow.to });
    if (answer.status !== 200) throw new Refused(answer.data);
    const { data, next_cursor: end } = answer.data;
    return { km: data.map(({ distance_km }) => distance_km), end, clamped: answer.headers.get("X-Window-Clamped") };
  },
  async fuel() {
    const answer = await odograph.listSensorReadings("fuel", { $from: from, to });
    if (answer.status !== 200) throw new Refused(answer.data);
    return answer.data.data.flatMap((reading) => (reading.kind === "fuel" ? [reading.level_percent] : []));
  },
});
