import base from "../reference/style/base.css" with { type: "text" };
import brand from "../reference/style/brand.css" with { type: "text" };
import code from "../reference/style/code.css" with { type: "text" };
import contents from "../reference/style/contents.css" with { type: "text" };
import print from "../reference/style/print.css" with { type: "text" };
import search from "../reference/style/search.css" with { type: "text" };
import guide from "./style/guide.css" with { type: "text" };

/** The reference's own rules, and what a page of prose needs beside them. Print rules come last: they override the others. */
export const guideStylesheet = [brand, base, contents, search, code, guide, print].join("\n");
