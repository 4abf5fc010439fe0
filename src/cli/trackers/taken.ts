import { namelessDevices } from "../../store/fleet/tracker-names.ts";
import type { Call } from "../common/command.ts";
import { printList } from "../common/table.ts";
import { withStore } from "../store/open-store.ts";

/** Who has mended these sees the rest. */
const maxListed = 10_000;

export async function listTaken(call: Call): Promise<void> {
  const rows = await withStore(call, (database) => namelessDevices(database, maxListed));
  if (rows.length === 0 && !call.options.json) {
    call.terminal.out("every device has its tracker");
    return;
  }
  const columns = {
    IMEI: ({ imei }: (typeof rows)[number]) => imei,
    DEVICE: ({ id }: (typeof rows)[number]) => id,
    ACCOUNT: ({ account }: (typeof rows)[number]) => account,
    "HELD BY": ({ held_by }: (typeof rows)[number]) => held_by,
  };
  printList(call, rows, columns, ({ imei, id, account, held_by }) => ({
    imei,
    device_id: id,
    account_id: account,
    held_by,
  }));
}
