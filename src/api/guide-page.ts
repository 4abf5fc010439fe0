import { Failure } from "../domain/errors.ts";
import { type ApiCall, type ApiDeps, logFailure } from "./call.ts";
import { guidePath, guidePlace, linkTo } from "./guide/addresses.ts";
import { fileType, readGuideFile } from "./guide/documents.ts";
import { renderAsMarkdown, renderLlmsText } from "./guide/markdown-pages.ts";
import { renderMissing } from "./guide/page.ts";
import { renderSearch } from "./guide/search.ts";
import { guideSite, renderDocument } from "./guide/site.ts";
import { pageHeaders, respondFile } from "./open-files.ts";
import { type ResponseContext, respond, respondRedirect } from "./respond.ts";
import { programDescription } from "./version.ts";

/** A page of the guide, or a file that one shows or hands out. A 404 is a page, too. */
export async function guidePage(deps: ApiDeps, context: ResponseContext, call: ApiCall): Promise<Response> {
  const { path: address } = call;
  const site = await guideSite();
  const place = address.slice(guidePath.length + 1);
  const document = site.documentAt.get(place);
  if (document !== undefined && address !== `${guidePath}/`)
    return respondFile(address, "text/html", () => renderDocument(site, document), context);
  const written = address.endsWith(".md") ? site.documentAt.get(place.slice(0, -".md".length)) : undefined;
  if (written !== undefined)
    return respondFile(address, "text/markdown", () => renderAsMarkdown(site, written), context);
  const file = site.fileAt.get(place);
  const mediaType = file && fileType(file);
  const bytes = mediaType && (await readGuideFile(file));
  if (bytes) return respondFile(address, mediaType, () => bytes, context);
  // As a document is called in the repository. The address is relative: a proxy may have taken a path away.
  const proper = guidePlace(place.replace(/\/$/, ""));
  if (site.documentAt.has(proper)) return respondRedirect(linkTo(address, proper), context);
  logFailure(deps, call, new Failure("NOT_FOUND", "the guide has no such page"));
  const missing = respond({ body: renderMissing(site, address), headers: pageHeaders("text/html") }, context);
  return new Response(missing.body, { status: 404, headers: missing.headers });
}

/** What an assistant reads first. */
export async function llmsText(): Promise<string> {
  return renderLlmsText(await guideSite(), programDescription);
}

export async function guideSearch(query: string, context: ResponseContext): Promise<Response> {
  const site = await guideSite();
  const asked = new URLSearchParams(query).get("q") ?? "";
  return respond({ body: renderSearch(site, site.entries(), asked), headers: pageHeaders("text/html") }, context);
}
