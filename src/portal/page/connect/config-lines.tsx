import { useState } from "react";
import type { TrackerAddress } from "../../both-sides/contract/trackers.ts";
import { Copyable } from "../common/elements/copyable.tsx";
import { Field } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { filledLines, type Recipe } from "./recipes.ts";

interface ConfigLinesProps {
  readonly recipe: Recipe;
  readonly model: string | null;
  readonly server: TrackerAddress;
}

/** What to send to the tracker, line by line, with the address of this server. */
export function ConfigLines({ recipe, model, server }: ConfigLinesProps) {
  const { connect: words, show } = useAdministrationTexts();
  const { protocol, code } = recipe;
  const usualCode = code?.kind === "model" ? (model ?? "").toLowerCase() : (code?.usual ?? "");
  const [given, setGiven] = useState({ apn: "", user: "", secret: "", code: usualCode });
  const port = portOf(server, protocol);
  const lines = filledLines(recipe, { ...trimmed(given), host: server.host, port });
  const isWhole = lines.some(({ does }) => does === "server");
  // What no line needs is not asked for.
  const probe = filledLines(recipe, { host: "h", port, apn: "\0A", user: "\0U", secret: "\0S", code: "" });
  const asksFor = (sign: "A" | "U") => probe.some(({ text }) => text.includes(`\0${sign}`));
  const field = (name: keyof typeof given, label: string, hint?: string) => (
    <Field
      label={label}
      name={name}
      hint={hint}
      value={given[name]}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={60}
      onChange={({ target }) => setGiven({ ...given, [name]: target.value })}
    />
  );
  return (
    <div className="tracker-lines column gap-4">
      <PortNotice protocol={protocol} server={server} />
      {server.is_local ? (
        <Notice kind="warning">{words.local(server.host)}</Notice>
      ) : (
        server.is_guess && <Notice kind="info">{words.guess(server.host)}</Notice>
      )}
      {lines.length > 0 && (
        <>
          {asksFor("A") && (
            <div className="field-row">
              {field("apn", words.apn, words.apnHint)}
              {code !== null && field("code", words.code[code.kind](code.usual))}
            </div>
          )}
          {asksFor("U") && (
            <div className="field-row">
              {field("user", words.apnUser)}
              {field("secret", words.apnSecret)}
            </div>
          )}
          <p>
            {protocol === "queclink" ? words.byCommand : words.bySms} {protocol === "gt06" && words.anyModel}{" "}
            {code?.kind === "login" && words.twoSpaces}
          </p>
          {lines.map(({ does, text }, index) => (
            <Copyable
              key={does}
              title={`${show.number(index + 1)}. ${words.lineMeanings[does]}`}
              text={text}
              testId={`line-${does}`}
            />
          ))}
        </>
      )}
      {(!isWhole || protocol === "teltonika") && (
        <>
          <p>{isWhole ? words.orProgram : words.noLines}</p>
          <dl className="facts grid">
            {[
              [words.host, server.host],
              [words.port, String(port)],
              [words.transport, "TCP"],
            ].map(([term, value]) => (
              <div className="grid gap-3 listed" key={term}>
                <dt>{term}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  );
}

function trimmed<Values extends Readonly<Record<string, string>>>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])) as Values;
}

/** The one that trackers of this family call, or would call if it were open. */
export function portOf({ ports }: TrackerAddress, protocol: Recipe["protocol"]): number {
  const found = ports.find((each) => each.protocol === protocol);
  return found?.port ?? found?.usual_port ?? 0;
}

/** Nothing if the server listens to this family. */
export function PortNotice({
  protocol,
  server,
}: {
  readonly protocol: Recipe["protocol"];
  readonly server: TrackerAddress;
}) {
  const { connect: words } = useAdministrationTexts();
  const isOpen = server.ports.some(({ protocol: each, port }) => each === protocol && port !== null);
  if (isOpen) return null;
  const names = server.ports
    .filter(({ protocol: each, port }) => each === protocol || port !== null)
    .map(({ protocol: each, port, usual_port }) => (port === null || port === usual_port ? each : `${each}=${port}`));
  return (
    <Notice kind="error">
      <p>
        <strong>{words.closed(protocolName(protocol))}</strong> {words.closedWhat}
      </p>
      <Copyable title={words.setting} text={`--trackers ${names.join(",")}`} testId="operator-setting" />
      <Copyable title={words.orVariable} text={`ODOGRAPH_TRACKERS=${names.join(",")}`} testId="operator-variable" />
    </Notice>
  );
}
