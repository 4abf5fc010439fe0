import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { useConfirmation } from "../../../src/access/email-confirmations.ts";
import { dayMs } from "../../../src/domain/time/time.ts";
import { waitingItems } from "../../../src/store/notifications/items.ts";
import { alertMails, recentMails, reportMails } from "../../../src/store/notifications/mail-queue.ts";
import { onEachEngine } from "../../support/engines.ts";
import { freePort } from "../../support/free-port.mjs";
import { accountNumber } from "../../support/ingest-node.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { annId, confirmNobody, type NotifyingNode, notifiedFleet, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";
import { reportedFleet } from "../../support/reported-fleet.ts";

const minuteMs = 60_000;
const subjectOf = (text = "") => /Subject: (.*)\r/.exec(text)?.[1];
const tokenIn = (text = "") => /\/portal\/link#([\w-]{43})/.exec(text)?.[1] ?? "";
const confirmSubject = "Odograph: confirm your e-mail address";

onEachEngine("mails to an address that is not confirmed", (engine) => {
  let server: MailServer;
  const nodes: Pick<NotifyingNode, "stop">[] = [];
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())));
  afterAll(() => server.close());

  test("of alerts wait until it is, and then come as one; before, the link comes once", async () => {
    const { database, clock, choose, report, node } = await notifiedFleet(engine);
    await confirmNobody(database);
    const before = server.received.length;
    const mails = () => server.received.slice(before);
    await choose(olgaId);
    await choose(annId);
    const notifier = node(server.port);
    nodes.push(notifier);
    await report("sos");
    await until(() => mails().length === 2);
    for (let hour = 0; hour < 4; hour++) {
      clock.now += 60 * minuteMs;
      await report("sos");
      await notifier.settled();
    }
    expect(mails().map(({ text }) => subjectOf(text))).toEqual([confirmSubject, confirmSubject]);
    const accountId = await accountNumber(database);
    const held = await waitingItems(database, accountId);
    expect(held.map(({ alerts, held: reason }) => [alerts, reason])).toEqual([
      [5, "unconfirmed"],
      [5, "unconfirmed"],
    ]);

    const ofOlga = mails().find(({ to }) => to.includes("olga@acme.test"));
    expect(await useConfirmation(database, tokenIn(ofOlga?.text), clock.now)).toBe(true);
    await until(() => mails().length === 3);
    await notifier.settled();
    const [, , gathered] = mails();
    expect([mails().length, gathered?.to, subjectOf(gathered?.text)]).toEqual([
      3,
      ["olga@acme.test"],
      "5 alerts: Acme",
    ]);
    expect(gathered?.text).toContain("Some of these waited until you had confirmed your address.");

    // What nobody has confirmed after two days is no news, and does not pile up.
    clock.now += 2 * dayMs + minuteMs;
    await until(async () => {
      await notifier.settled();
      return (await waitingItems(database, accountId)).length === 0;
    });
    expect(mails().length).toBe(3);
  });

  test("that were written before another address was entered do not go there", async () => {
    const { database, choose, report, node } = await notifiedFleet(engine);
    await choose(olgaId);
    await report("sos");
    const accountId = await accountNumber(database);
    const cutOff = node(await freePort());
    await until(async () => (await recentMails(database, alertMails, accountId, null, 10)).length === 1);
    await cutOff.stop();
    await confirmNobody(database);
    const before = server.received.length;
    const notifier = node(server.port);
    nodes.push(notifier);
    await until(() => server.received.length > before);
    await notifier.settled();
    expect(server.received.slice(before).map(({ text }) => subjectOf(text))).toEqual([confirmSubject]);
  });

  test("of planned reports wait, too, and are given up after two days", async () => {
    const { database, clock, plan, node } = await reportedFleet(engine);
    await confirmNobody(database);
    const before = server.received.length;
    const mails = () => server.received.slice(before);
    await plan({ name: "Your parcel: http://evil.example/x", to: [olgaId, annId], cadence: "month" });
    const mailer = await node(server.port);
    nodes.push(mailer);
    await until(() => mails().length === 2);
    clock.now += 60 * minuteMs;
    await mailer.settled();
    expect(mails().map(({ text }) => subjectOf(text))).toEqual([confirmSubject, confirmSubject]);
    for (const { text } of mails()) expect(text).not.toMatch(/parcel|evil|Acme|Olga|Ann\b/);
    const accountId = await accountNumber(database);
    const states = async () =>
      (await recentMails(database, reportMails, accountId, null, 10)).map(
        ({ state, problem }) => `${state} ${problem}`,
      );
    expect(await states()).toEqual(["waiting unconfirmed", "waiting unconfirmed"]);

    const ofOlga = mails().find(({ to }) => to.includes("olga@acme.test"));
    expect(await useConfirmation(database, tokenIn(ofOlga?.text), clock.now)).toBe(true);
    await until(() => mails().length === 3);
    const sent = mails()[2]?.text ?? "";
    // A month has a dash in it, so the header is encoded.
    expect(sent).toMatch(/Subject: (=\?UTF-8\?Q\?)?Odograph[_ ]report[_ ]for[_ ]Acme:[_ ]Your/);
    expect(sent).toContain("Your parcel: http: //evil. example/x (Trips)");
    expect(sent).not.toMatch(/http:\/\/evil|evil\.example/);

    clock.now += 2 * dayMs;
    await until(async () => (await states()).toSorted().join() === "empty unconfirmed,sent null");
    expect(mails().length).toBe(3);
  });

  test("of many planned reports come ten an hour once it is", async () => {
    const { database, clock, plan, node } = await reportedFleet(engine);
    await confirmNobody(database);
    const before = server.received.length;
    const reports = () => server.received.slice(before).filter(({ text }) => subjectOf(text) !== confirmSubject);
    for (let number = 1; number <= 25; number++) await plan({ name: `Report ${number}` });
    const mailer = await node(server.port);
    nodes.push(mailer);
    // By then each of them has waited for the confirmation.
    for (let passed = 0; passed < 5; passed++) {
      await mailer.settled();
      clock.now += 60 * minuteMs;
    }
    await mailer.settled();
    expect(reports().length).toBe(0);
    const [asked] = server.received.slice(before);
    expect(await useConfirmation(database, tokenIn(asked?.text), clock.now)).toBe(true);
    const came: number[] = [];
    for (let passed = 0; passed < 3; passed++) {
      await mailer.settled();
      await mailer.settled();
      came.push(reports().length);
      clock.now += 60 * minuteMs;
    }
    expect(came).toEqual([10, 20, 25]);
  });
});
