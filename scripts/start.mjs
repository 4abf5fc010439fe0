// `npm start`: installs what is missing and runs the demo.
import { launch } from "../bin/launch.mjs";
import { ensureInstalled } from "./install.mjs";

ensureInstalled({ production: true });
launch(["demo", ...process.argv.slice(2)]);
