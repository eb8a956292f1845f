// @ts-check
/** The page when a server provides it. */

import { Page } from "./page.js";
import { overHttp } from "./transport.js";

// The folder of this script, not the root of the host: a proxy may show the site under a path.
await new Page(overHttp(new URL(".", import.meta.url).href.slice(0, -1))).open();
