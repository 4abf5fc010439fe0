import { addCopyButton } from "../../reference/page/copy.ts";
import { followHeadings } from "./headings.ts";
import { searchWhileTyping } from "./search-while-typing.ts";

// The guide can be read and searched without this. It adds copy buttons, results while one types, and marks what is being read.

for (const block of document.querySelectorAll<HTMLElement>(".code")) addCopyButton(block);
searchWhileTyping();
followHeadings();
