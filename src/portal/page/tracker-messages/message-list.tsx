import { type ReactNode, useCallback, useId } from "react";
import { type TrackerProtocol, trackerProtocols } from "../../../domain/tracker-protocols.ts";
import { to } from "../../both-sides/address.ts";
import type { TrackerMessageRecord } from "../../both-sides/contract/trackers.ts";
import { send } from "../api/request.ts";
import { CopyButton } from "../common/elements/copyable.tsx";
import { LoadState } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { Time } from "../common/reading/time.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { fieldWords, frameWords } from "./message-words.ts";

const lookEveryMs = 2_000;

export default function MessageList(props: { readonly deviceId: string }) {
  return (
    <WithAdministrationTexts>
      <Messages {...props} />
    </WithAdministrationTexts>
  );
}

function Messages({ deviceId }: { readonly deviceId: string }) {
  const { trackerMessages: words } = useAdministrationTexts();
  const { loaded, reload } = useRepeatedLoad(
    useCallback(
      (signal: AbortSignal) =>
        send(to("POST /fleet/devices/{device_id}/tracker-messages", { device_id: deviceId }), undefined, signal),
      [deviceId],
    ),
    lookEveryMs,
  );
  const messages = loaded.data?.data ?? [];
  return (
    <>
      <p className="quiet">{words.what}</p>
      <LoadState loaded={loaded} reload={reload} />
      {loaded.data !== null && messages.length === 0 && <NoMessages isListening={loaded.data.is_listening} />}
      {messages.length > 0 && (
        <ol className="message-list column gap-5">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      )}
    </>
  );
}

function NoMessages({ isListening }: { readonly isListening: boolean }) {
  const { trackerMessages: words } = useAdministrationTexts();
  const { notListening, waiting, silent, gateway, node } = words.noneWhat;
  return (
    <div data-testid="no-messages">
      <p>
        <strong>{words.none}.</strong> {isListening ? waiting : notListening}
      </p>
      {isListening && (
        <ul className="connect-checks grid gap-1 break">
          <li>{silent}</li>
          <li>{gateway}</li>
          <li>{node}</li>
        </ul>
      )}
    </div>
  );
}

function Message({ message }: { readonly message: TrackerMessageRecord }) {
  const texts = useAdministrationTexts();
  const { trackerMessages: words, show } = texts;
  const { received_at, protocol, what, bytes, length, frames, problem, left_out, unread } = message;
  const hexId = useId();
  const time = show.time(Date.parse(received_at), "clock");
  return (
    <li className="message column gap-2 break">
      <p className="message-head row wrap">
        <strong>
          <Time at={received_at} detail="second" />
        </strong>
        <span className="badge">{nameOf(protocol)}</span>
        <span lang="en">{what}</span>
      </p>
      <div className="secret flex align-start gap-3">
        <code id={hexId}>{bytes}</code>
        <CopyButton text={bytes} what={`${words.message} ${time}`} selects={hexId} />
      </div>
      {bytes.length < 2 * length && <p className="hint">{words.cut(show.number(length))}</p>}
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
        <Facts key={index} facts={frameWords(frame, texts)} />
      ))}
      <Facts
        facts={[
          [
            words.problem,
            problem === null ? null : (
              <span key="problem" lang="en">
                {problem}
              </span>
            ),
          ],
          [words.leftOut, left_out.length === 0 ? null : left_out.map((name) => fieldWords(name, texts)).join(", ")],
          [
            words.unread,
            unread.length === 0 ? null : (
              <span key="unread" lang="en">
                {unread.join(", ")}
              </span>
            ),
          ],
          [words.reply, replyWords(message, words)],
        ]}
      />
    </li>
  );
}

function replyWords({ outcome, reply }: TrackerMessageRecord, words: Words): ReactNode {
  if (outcome === "not_stored") return words.notStored;
  if (outcome === "other_identity") return words.otherIdentity;
  if (outcome === "other_protocol") return words.otherProtocol;
  return reply === null ? words.noReply : <code>{reply}</code>;
}

type Words = ReturnType<typeof useAdministrationTexts>["trackerMessages"];

/** Those that are there. */
function Facts({ facts }: { readonly facts: readonly (readonly [term: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null);
  return (
    <dl className="message-facts flex wrap fine">
      {known.map(([term, value]) => (
        <div key={term} className="flex gap-1">
          <dt className="quiet">{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function nameOf(protocol: string): string {
  const known: TrackerProtocol | undefined = trackerProtocols.find((name) => name === protocol);
  return known === undefined ? protocol : protocolName(known);
}
