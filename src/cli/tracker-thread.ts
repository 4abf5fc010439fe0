import { families } from "../intake/trackers/families.ts";
import { serveInThread } from "../intake/trackers/thread/in-thread.ts";

declare const self: Worker;

serveInThread(self, families);
