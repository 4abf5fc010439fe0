import { guidePath, guidePlace, wayToRoot } from "./addresses.ts";
import { type Documents, titleOf } from "./documents.ts";
import { documentPartsOf } from "./markdown.ts";
import { type GuideSite, linksFrom } from "./site.ts";

/** The address of a document's Markdown: that of its page, with `.md` at the end. */
export function markdownAddress(path: string): string {
  const place = guidePlace(path);
  return place === "" ? `${guidePath}.md` : `${guidePath}/${place}.md`;
}

const fencedCode = /(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$)/m;
/** A link or a picture: its mark, its words and where it leads. */
const inlineLink = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^()\s]+)\)/g;

/** The document as it is written, but with links from its address to the Markdown of other pages. */
export function renderAsMarkdown(site: GuideSite, path: string): string {
  const address = markdownAddress(path);
  const addressOf = linksFrom(site, path, address, (document, anchor) => markdownLink(address, document, anchor));
  // The odd parts are code.
  const parts = (site.documents.get(path) ?? "").split(fencedCode).map((part, index) => {
    if (index % 2 === 1) return part;
    return part.replace(inlineLink, (_, mark: string, words: string, link: string) => {
      const leadsTo = addressOf(link);
      return leadsTo === null ? words : `${mark}[${words}](${leadsTo})`;
    });
  });
  return parts.join("");
}

function markdownLink(from: string, path: string, anchor = ""): string {
  return `${wayToRoot(from)}${markdownAddress(path).slice(1)}${anchor && `#${anchor}`}`;
}

export const llmsPath = "/llms.txt";

/** What an assistant reads first: https://llmstxt.org. Its links are relative, since a proxy may have added a path. */
export function renderLlmsText({ documents, groups }: GuideSite, about: string): string {
  const lists = groups.map(({ name, pages }) => {
    const lines = pages.map(({ path, title }) => {
      const sentence = firstSentence(documents, path);
      return `- [${title}](${markdownLink(llmsPath, path)})${sentence && `: ${sentence}`}`;
    });
    return `## ${name}\n\n${lines.join("\n")}\n`;
  });
  return `# Odograph

> ${about}

Every page of the guide is at its address with \`.md\` as Markdown. The API is described by
[OpenAPI](v1/openapi.json). Assistants can call it at \`/mcp\`: ${markdownName(documents, "docs/agents.md")}.
Packages for TypeScript and Python: [clients](docs/clients/).

${lists.join("\n")}`;
}

function markdownName(documents: Documents, path: string): string {
  return `[${titleOf(documents, path)}](${markdownLink(llmsPath, path)})`;
}

const longestSentence = 200;

function firstSentence(documents: Documents, path: string): string {
  const { text = "" } = documentPartsOf(documents.get(path) ?? "")[0] ?? {};
  const [sentence = ""] = /^.*?[.:](?= |$)/.exec(text) ?? [];
  return sentence.length > longestSentence ? "" : sentence.replace(/:$/, ".");
}
