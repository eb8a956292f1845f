// @ts-check
/**
 * Python, in a worker: it answers what a server would, and runs code of the documentation.
 *
 * A message is a list of a number, a method, a path, a query, a body and a token; the answer has the
 * same number, a status and data. The method RUN runs the blocks in the body. Messages with the number
 * 0 say how many bytes of the files are loaded ("progress"), and that Python is there ("ready").
 */

const PYTHON = `
import json

from pontedeldiavolo.web.requests import Request
from pontedeldiavolo.web.routes import dispatch
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore

site = Site(MemoryStore())


def respond(method, path, query, body, token):
    request = Request(json.loads(query), body.encode(), token)
    response = dispatch(site, method, path, request)
    return json.dumps([response.status, response.content])


respond
`;

/** @type {(message: unknown) => void} */
const post = /** @type {any} */ (postMessage);

/** Make this worker report the bytes that it fetches. */
function reportProgress() {
  const original = globalThis.fetch;
  let loaded = 0;
  globalThis.fetch = async (...request) => {
    const response = await original(...request);
    if (!response.body) return response;
    const counter = new TransformStream({
      transform(part, controller) {
        loaded += part.byteLength;
        post([0, "progress", loaded]);
        controller.enqueue(part);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

/** Load Python and the package. */
async function load() {
  reportProgress();
  const runtime = new URL("./pyodide/", import.meta.url).href;
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: runtime });
  const packed = await fetch(new URL("./python.zip", import.meta.url));
  const target = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: target });
  post([0, "ready", 0]);
  return python;
}

const loading = load();
loading.catch((error) => {
  console.error(error);
  post([0, "failed", 0]);
});
/** @type {Promise<any> | null} */
let site = null;
/** @type {Promise<any> | null} */
let notebook = null;

/** Return the function that answers as a server would. */
async function answering() {
  return (await loading).runPython(PYTHON);
}

/** Return the notebook, in which the blocks of a page run. */
async function running() {
  const code = await (await fetch(new URL("./console.py", import.meta.url))).text();
  return (await loading).runPython(`${code}\n\nNotebook()`);
}

addEventListener("message", async ({ data: [number, method, path, query, body, token] }) => {
  let status = 0;
  let data = {};
  try {
    if (method === "RUN") {
      notebook ??= running();
      data = JSON.parse((await notebook).run(body));
      status = 200;
    } else {
      site ??= answering();
      const respond = await site;
      [status, data] = JSON.parse(respond(method, path, JSON.stringify(query), body, token));
    }
  } catch (error) {
    // The page tells its reader that there is no answer.
    console.error(error);
  }
  post([number, status, data]);
});
