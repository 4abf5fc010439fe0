/** The short text of a device's change (change-text.ts). */
export interface GroupedChange {
  readonly device: number;
  readonly text: string;
}

/**
 * Changes of several devices in one text, in descending order of the devices: `d512p-1500m0d2p-1480m0` is of device 512
 * and of device 510. A row of its own for each would be three times as large, or five times in PostgreSQL.
 */
export function formatGroup(changes: readonly GroupedChange[]): string {
  let text = "";
  let before: number | null = null;
  for (const { device, text: own } of changes) {
    text += `d${before === null ? device : before - device}${own}`;
    before = device;
  }
  return text;
}

export function parseGroup(text: string): GroupedChange[] {
  const changes: GroupedChange[] = [];
  let before: number | null = null;
  for (const [, number, own = ""] of text.matchAll(/d(\d+)([^d]*)/g)) {
    const device: number = before === null ? Number(number) : before - Number(number);
    changes.push({ device, text: own });
    before = device;
  }
  return changes;
}
