import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/portal/both-sides/contract/data.ts";
import { type AlertsSoFar, type FetchAlerts, noAlertsYet, withOlder } from "../../src/portal/page/alerts/lanes.ts";

const now = Date.UTC(2026, 10, 15, 12);
const dayMs = 86_400_000;
const pageSize = 500;
const month = { from: now - 31 * dayMs, to: now };

/** Answers as the API does: in ascending time, half-open windows, a page at a time. */
function answering(times: readonly number[]) {
  const calls: number[] = [];
  const ask: FetchAlerts = async (from, to, cursor) => {
    calls.push(to - from);
    const rows = times.filter((at) => at >= from && at < to).sort((left, right) => left - right);
    const begin = Number(cursor ?? 0);
    const data = rows
      .slice(begin, begin + pageSize)
      .map((at) => ({ alert_id: String(at), occurred_at: new Date(at).toISOString() }) as Alert);
    return { data, next_cursor: begin + pageSize < rows.length ? String(begin + pageSize) : null };
  };
  return { ask, calls };
}

async function all(ask: FetchAlerts): Promise<AlertsSoFar[]> {
  const steps: AlertsSoFar[] = [];
  let soFar = noAlertsYet(month);
  while (soFar.olderThan !== null) {
    soFar = await withOlder(soFar, ask);
    steps.push(soFar);
  }
  return steps;
}

function times({ rows }: AlertsSoFar): number[] {
  return rows.map(({ occurred_at }) => Date.parse(occurred_at));
}

const worlds: [name: string, times: number[]][] = [
  ["none", []],
  ["a few", Array.from({ length: 20 }, (_, index) => now - index * dayMs - 1)],
  ["thousands, evenly", Array.from({ length: 6000 }, (_, index) => now - 1 - index * 400_000)],
  ["thousands, most of them long ago", Array.from({ length: 3000 }, (_, i) => now - 1 - (i < 3 ? i : 20 * dayMs + i))],
  ["thousands, most of them just now", Array.from({ length: 3000 }, (_, index) => now - 1 - index * 1000)],
  ["a page full within one moment", Array.from({ length: 1200 }, (_, index) => now - 5 * dayMs + (index % 7))],
];

describe("alerts, the newest first", () => {
  for (const [name, happened] of worlds) {
    test(`${name}: none is left out, none comes twice, and the newest come first`, async () => {
      const { ask } = answering(happened);
      const within = happened.filter((at) => at >= now - 31 * dayMs).sort((left, right) => right - left);
      const steps = await all(ask);
      for (const step of steps) expect(times(step)).toEqual(within.slice(0, step.rows.length));
      expect(times(steps.at(-1) as AlertsSoFar)).toEqual(within);
    });
  }

  test("a quiet period takes one call; a busy one a few until the newest are there", async () => {
    const quiet = answering([now - 1]);
    await withOlder(noAlertsYet(month), quiet.ask);
    expect(quiet.calls.length).toBe(1);
    const busy = answering(Array.from({ length: 6000 }, (_, index) => now - 1 - index * 400_000));
    const first = await withOlder(noAlertsYet(month), busy.ask);
    expect(first.rows.length).toBeGreaterThan(pageSize / 4);
    expect(busy.calls.length).toBeLessThan(8);
  });
});
