// @ts-check
/** The page when a server provides it. */

import { Page } from "./board.js";
import { overHttp } from "./transport.js";

await new Page(overHttp("")).open();
