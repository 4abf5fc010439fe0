import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";
import { startFleetServer } from "./fleet-server.ts";
import { type ExampleProject, exampleProject } from "./running-example.ts";

const minuteMs = 60_000;
let project: ExampleProject;
beforeAll(async () => {
  project = await exampleProject();
});
afterAll(() => project?.remove());

/** A chat that is busy at first. */
function startChat() {
  const texts: string[] = [];
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      requests += 1;
      if (requests === 1) return new Response("busy", { status: 503, headers: { "Retry-After": "1" } });
      const { text } = (await request.json()) as { text: string };
      texts.push(text);
      return new Response("ok");
    },
  });
  return { url: server.url.href, texts, stop: () => server.stop(true) };
}

onOneEngine("alerts in a chat", (engine) => {
  test("come once each, also after the program was killed; what late frames disprove is withdrawn", async () => {
    const server = await startFleetServer(await engine.empty(), { vehicles: 1 });
    const chat = startChat();
    const device = server.world.fleet.find((record) => "imei" in record) as { imei: string; name: string };
    const user = server.world.fleet.find((record) => "role" in record && record.role === "sub_account") as {
      id: string;
      email: string;
    };
    const seenBy = (...user_ids: string[]) => server.load([{ ...device, user_ids }]);
    await seenBy(user.id);
    const begin = Date.now() - 120 * minuteMs;
    const frame = (minute: number, fields: object) => ({
      type: "frame",
      imei: device.imei,
      recorded_at: new Date(begin + minute * minuteMs).toISOString(),
      latitude: 52.5,
      longitude: 13.4,
      speed_kmh: 0,
      satellites: 10,
      ...fields,
    });
    const sos = (minute: number) => frame(minute, { ignition: false, event: "sos" });
    const key = await server.key(user.email);
    const state = join(project.directory, "alerts-to-chat.json");
    await rm(state, { force: true });
    const env = { FLEET_URL: server.url, FLEET_KEY: key, WEBHOOK_URL: chat.url, SEVERITIES: "info,critical" };
    const acknowledge = async () => {
      const alerts = await server.list<{ alert_id: string; acknowledged: boolean }>("/alerts", key);
      for (const { alert_id } of alerts.filter(({ acknowledged }) => !acknowledged))
        await server.run("alerts", "acknowledge", alert_id, "--user", server.world.ownerEmail);
    };
    const posted = async (wanted: readonly string[]) => {
      const isIt = (text: string, index: number) => text.includes(wanted[index] ?? "nothing more");
      await until(() => chat.texts.length >= wanted.length);
      expect(chat.texts).toHaveLength(wanted.length);
      expect(chat.texts.every(isIt), chat.texts.join("\n")).toBe(true);
      expect(chat.texts.every((text) => text.includes(device.name))).toBe(true);
    };

    // What was known before the first start is not posted, also when it changes later.
    await server.load([sos(0)]);
    const first = project.start("alerts-to-chat.ts", env);
    await until(() => Bun.file(state).exists());
    await acknowledge();
    await server.load([sos(5)]);
    await posted(["CRITICAL"]);
    // One of long ago: that it was posted would be forgotten, and its acknowledgement would post it again.
    await server.load([sos(-100 * 24 * 60)]);
    // A quarter of an hour with the engine running.
    const running = (from: number) =>
      Array.from({ length: 16 }, (_, minute) => frame(from + minute, { ignition: true }));
    await server.load(running(10));
    await posted(["CRITICAL", "INFO"]);
    await acknowledge();
    await first.kill();

    // It was switched off for a moment.
    await server.load([frame(17.5, { ignition: false })]);
    await server.load([sos(40)]);
    const second = project.start("alerts-to-chat.ts", env);
    await until(() => chat.texts.length >= 4);
    expect(chat.texts.slice(2).sort()).toEqual([expect.stringContaining("CRITICAL"), `Withdrawn: ${chat.texts[1]}`]);
    expect(await second.stop()).toBe(0);
    const third = project.start("alerts-to-chat.ts", env);
    await server.load([sos(50)]);
    await until(() => chat.texts.length >= 5);
    expect(new Set(chat.texts).size).toBe(5);
    await server.load([...running(60), frame(77, { ignition: false })]);
    await until(() => chat.texts.length >= 6);
    expect(await third.stop()).toBe(0);

    // The same while the vehicle is out of sight, and it comes back before anybody looks.
    await seenBy();
    await server.load([frame(67.5, { ignition: false })]);
    await server.load([sos(80)]);
    await seenBy(user.id);
    const fourth = project.start("alerts-to-chat.ts", env);
    await until(() => chat.texts.length >= 8);
    expect(chat.texts.slice(6).sort()).toEqual([expect.stringContaining("CRITICAL"), `Withdrawn: ${chat.texts[5]}`]);
    expect(await fourth.stop()).toBe(0);
    expect([first, second, third, fourth].map((each) => each.printed()).join("")).toBe(
      "the webhook answered 503; waiting for 1 s\n",
    );
    chat.stop();
    await server.stop();
  });
});
