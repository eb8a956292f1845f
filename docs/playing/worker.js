// @ts-check
/** The rules, in Python, in a worker: it answers what a server would. */

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

/** Load Python and the package. */
async function load() {
  const runtime = new URL("./pyodide/", import.meta.url).href;
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: runtime });
  const packed = await fetch(new URL("./python.zip", import.meta.url));
  const target = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: target });
  return python.runPython(PYTHON);
}

const loading = load();

addEventListener("message", async ({ data: [number, method, path, query, body, token] }) => {
  let status = 0;
  let data = {};
  try {
    const respond = await loading;
    [status, data] = JSON.parse(respond(method, path, JSON.stringify(query), body, token));
  } catch (error) {
    // The page tells its reader that there is no answer.
    console.error(error);
  }
  /** @type {(message: unknown) => void} */ (postMessage)([number, status, data]);
});
