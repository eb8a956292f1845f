// @ts-check
/** The page as a server gives it. */

import { Page } from "./board.js";
import { overHttp } from "./transport.js";

await new Page(overHttp("")).open();
