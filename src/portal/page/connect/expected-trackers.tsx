import { isImei } from "../../../domain/text/identifiers.ts";
import { to } from "../../both-sides/address.ts";
import type { ExpectedTrackerRecord } from "../../both-sides/contract/trackers.ts";
import { getJson, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

const lookEveryMs = 5_000;

export const loadExpected = async (signal: AbortSignal) => (await getJson("GET /fleet/expected-trackers", signal)).data;

/** Those that were entered before, and how far each has come. Nothing if there are none. */
export function ExpectedTrackers() {
  const { connect: words, show } = useAdministrationTexts();
  const { loaded, reload } = useRepeatedLoad(loadExpected, lookEveryMs);
  const { submit, error } = useSubmit();
  const now = useNow(30_000);
  const expected = loaded.data ?? [];
  if (expected.length === 0) return null;
  const stateOf = ({ device_id, called_at }: ExpectedTrackerRecord) => {
    if (device_id !== null) return words.inFleet;
    return called_at === null ? words.notCalled : words.called(show.age(now - Date.parse(called_at)));
  };
  const forget = async (id: string) => {
    await send(to("DELETE /fleet/expected-trackers/{expected_id}", { expected_id: id }));
    reload();
  };
  return (
    <section className="card" aria-labelledby="expected-trackers">
      <h2 id="expected-trackers">{words.expected}</h2>
      <p className="quiet">{words.expectedWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <ul className="refused-list">
        {expected.map((record) => (
          <li key={record.expected_id}>
            <span>
              <code>{record.tracker}</code> {stateOf(record)}
            </span>
            <span className="row-actions">
              <Link to={addressOf(record)} className="button button-small">
                {words.goOn}
                <span className="visually-hidden">: {record.tracker}</span>
              </Link>
              <Button
                look="small"
                text={words.forget}
                aria-label={words.forgetWhich(record.tracker)}
                onClick={() => submit(() => forget(record.expected_id))}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function addressOf({ tracker, last_protocol }: ExpectedTrackerRecord): string {
  const query = new URLSearchParams({ [isImei(tracker) ? "imei" : "id"]: tracker });
  if (last_protocol !== null) query.set("recipe", last_protocol);
  return `/fleet/connect?${query}`;
}
