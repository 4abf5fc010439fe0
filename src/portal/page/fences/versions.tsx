import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { FenceDetails } from "./fence-records.ts";
import { sizeWords, vehicleCountWords } from "./fence-words.ts";

/** What the fence was earlier. The past cannot be edited here: a new version from a moment on replaces it. */
export function FenceVersions({ fence }: { readonly fence: FenceDetails }) {
  const { fences: words } = useAdministrationTexts();
  const show = useShow();
  if (fence.versions.length < 2) return null;
  const newest = fence.versions.at(-1);
  return (
    <details className="fence-versions">
      <summary>
        {words.versions} ({show.number(fence.versions.length)})
      </summary>
      <p className="hint">{words.versionsText}</p>
      <ol reversed>
        {fence.versions.toReversed().map((version) => (
          <li key={version.valid_from}>
            <span>
              {version.valid_from === null
                ? words.sinceBeginning
                : words.since(show.time(Date.parse(version.valid_from), "minute"))}
              {version === newest && ` · ${words.inForce}`}
            </span>
            <span className="quiet">
              {sizeWords(version, show, words)}; {vehicleCountWords(version.device_count, show, words)}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
