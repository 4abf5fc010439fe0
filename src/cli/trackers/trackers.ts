import { trackerProtocols } from "../../domain/tracker-protocols.ts";
import { namelessDevices } from "../../store/fleet/tracker-names.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { printList, type TextColumns } from "../common/table.ts";
import { withStore } from "../store/open-store.ts";
import { replay } from "./replay.ts";
import { watch } from "./watch.ts";

export const trackersCommand = command({
  name: "trackers",
  summary: "see what a tracker sends, or send a recorded session as one",
  details: [
    "`watch` shows the last messages of a tracker that calls this server (`serve --trackers`), then those that",
    "follow: their bytes, what they mean or why they cannot be read, and the reply. It works on any node.",
    "`replay` sends the messages of a file to a server as a tracker would, and waits for the replies. A line is one",
    "message, as hex or as text; empty lines and those that begin with # are skipped.",
    "`taken` lists devices that get nothing from trackers: their IMEI differs from that of an older device in",
    "leading zeros only.",
  ].join("\n"),
  actions: [
    {
      name: "watch",
      arguments: ["IMEI"],
      summary: "show what the tracker of a device sends; Ctrl-C ends it",
      options: [{ name: "count", placeholder: "N", help: "end after so many messages" }, jsonOption],
      run: watch,
    },
    {
      name: "replay",
      arguments: ["FILE|-"],
      summary: "send recorded messages to a server",
      options: [
        { name: "protocol", placeholder: "NAME", help: `one of ${trackerProtocols.join(", ")}`, required: true },
        { name: "to", placeholder: "HOST:PORT", help: "the server (default: the usual port on this machine)" },
        { name: "udp", help: "send datagrams" },
        { name: "wait", placeholder: "SECONDS", help: "how long to wait for a reply (default: 10)" },
        jsonOption,
      ],
      run: replay,
    },
    {
      name: "taken",
      summary: "list devices whose tracker is taken for that of another",
      options: [jsonOption],
      run: listTaken,
    },
  ],
});

/** Who has mended these sees the rest. */
const maxListed = 10_000;

async function listTaken(call: CommandCall): Promise<void> {
  const rows = await withStore(call, (database) => namelessDevices(database, maxListed));
  if (rows.length === 0 && !call.options.json) {
    call.terminal.out("every device has its tracker");
    return;
  }
  const columns: TextColumns<(typeof rows)[number]> = {
    IMEI: ({ imei }) => imei,
    DEVICE: ({ id }) => id,
    ACCOUNT: ({ account }) => account,
    "HELD BY": ({ held_by }) => held_by,
  };
  printList(call, rows, columns, ({ imei, id, account, held_by }) => ({
    imei,
    device_id: id,
    account_id: account,
    held_by,
  }));
}
