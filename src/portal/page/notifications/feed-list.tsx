import type { NotificationRecord, RuleFeeds } from "../../both-sides/contract/notifications.ts";
import { Icon } from "../common/elements/icon.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type FedType, fedTypes, rulesPath } from "./feed-words.ts";

interface FeedProps {
  readonly wanted: Pick<NotificationRecord, "alert_types" | "severities" | "tags" | "device_ids">;
  readonly feeds: RuleFeeds;
  /** In a form that must not be left: links open beside it. */
  readonly isBeside?: boolean;
}

/** Which rules feed a notification, whether it can ever send anything, and where a rule that is off is switched on. */
export function FeedList({ wanted, feeds, isBeside = false }: FeedProps) {
  const { notifications, show } = useAdministrationTexts();
  const words = notifications.feeds;
  const types = fedTypes(wanted, feeds.rules);
  const mailed = types.filter(({ isMailed }) => isMailed).length;
  const isSilent = mailed === 0;
  const isShort = types.length <= fewTypes;
  const list = (
    <ul className="feed-list" aria-label={words.title}>
      {types.map((one) => (
        <FeedLine key={one.type} one={one} wanted={wanted} vehicles={feeds.vehicles} isBeside={isBeside} />
      ))}
    </ul>
  );
  return (
    <div className="feeds column gap-2">
      {isSilent && (
        <p className="feeds-silent row gap-2" role="status">
          <Icon name="alert" />
          <span>{feeds.vehicles === 0 ? words.noVehicles : words.silent}</span>
        </p>
      )}
      {feeds.vehicles > 0 && isShort && list}
      {feeds.vehicles > 0 && !isShort && (
        <details>
          <summary>
            {words.count(mailed, show.number(mailed))}
            {mailed < types.length && ` · ${words.unmailed(types.length - mailed, show.number(types.length - mailed))}`}
          </summary>
          {list}
        </details>
      )}
    </div>
  );
}

/** So many are shown without being asked for. */
const fewTypes = 4;

interface LineProps extends Pick<FeedProps, "wanted"> {
  readonly one: FedType;
  /** How many are meant. */
  readonly vehicles: number;
  readonly isBeside: boolean;
}

function FeedLine({ one: { type, feed, isMailed }, wanted, vehicles, isBeside }: LineProps) {
  const { notifications, alerts, rules, show } = useAdministrationTexts();
  const words = notifications.feeds;
  const { user } = useSession();
  const said: string[] = [];
  if (feed === null) said.push(words.isOff);
  else {
    if (isMailed) said.push(feed.severities.map((one) => alerts.severities[one]).join(", "));
    if (feed.vehicles < vehicles) said.push(words.some(show.number(feed.vehicles), show.number(vehicles)));
    if (!isMailed) said.push(words.raisedAs(feed.severities.map((one) => alerts.severities[one]).join(", ")));
  }
  const name = alerts.types[type];
  const [text, label] =
    feed === null ? [words.switchOn, words.switchOnType(name)] : [rules.change, rules.changeType(name)];
  return (
    <li className={isMailed ? undefined : "quiet"}>
      <span>
        {name}
        {said.length > 0 && `: ${said.join(", ")}`}
      </span>
      {user.role === "owner" && !isMailed && (
        <Link to={rulesPath(wanted, type)} label={label} isBeside={isBeside}>
          {text}
        </Link>
      )}
    </li>
  );
}
