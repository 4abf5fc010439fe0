import guide from "../guide/style/guide.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import brand from "./style/brand.css" with { type: "text" };
import code from "./style/code.css" with { type: "text" };
import consolePanel from "./style/console.css" with { type: "text" };
import content from "./style/content.css" with { type: "text" };
import contents from "./style/contents.css" with { type: "text" };
import print from "./style/print.css" with { type: "text" };
import search from "./style/search.css" with { type: "text" };
import tables from "./style/tables.css" with { type: "text" };

/** Print rules come last: they override the others. */
export const stylesheet = [brand, base, contents, search, content, tables, code, consolePanel, print].join("\n");

/** The reference's own rules, and what a page of prose needs beside them. Print rules come last: they override the others. */
export const guideStylesheet = [brand, base, contents, search, code, guide, print].join("\n");
