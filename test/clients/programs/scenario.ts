// What an integrator does, over any generated client. Compiled beside them by the test.
export const [baseUrl = "", key = "", from = "", to = ""] = process.argv.slice(2);

/** A date alone, and an offset with a plus in it. */
export const longWindow = { from: "2025-01-01", to: "2026-07-01T00:00:00+05:30" };

/** What each client is asked for, in its own words. */
export interface Calls {
  devices(): Promise<readonly { readonly device_id: string; readonly name?: string | undefined }[]>;
  historyPage(
    deviceId: string,
    cursor: string | null,
  ): Promise<{ readonly data: readonly { readonly recorded_at: string }[]; readonly next_cursor: string | null }>;
  latest(deviceId: string, tag?: string): Promise<{ readonly status: number; readonly headers: Headers }>;
  /** Of a device that is not there, and of a window that cannot be read. */
  codes(): Promise<readonly string[]>;
  mileage(): Promise<{ readonly km: unknown; readonly end: unknown; readonly clamped: string | null }>;
  fuel(): Promise<unknown>;
}

export async function print(calls: Calls): Promise<void> {
  const [device] = await calls.devices();
  if (!device) throw new Error("there is no device");
  const times: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<Calls["historyPage"]>> = await calls.historyPage(device.device_id, cursor);
    times.push(...page.data.map(({ recorded_at }) => recorded_at));
    cursor = page.next_cursor;
    pages++;
  } while (cursor !== null);
  const first = await calls.latest(device.device_id);
  const second = await calls.latest(device.device_id, first.headers.get("ETag") ?? "");
  console.log(
    JSON.stringify({
      name: device.name,
      history: { pages, times },
      poll: [first.status, second.status],
      codes: await calls.codes(),
      mileage: await calls.mileage(),
      fuel: await calls.fuel(),
    }),
  );
}
