// @ts-check
/** The rules, in Python, in a worker: it answers what a server would. */

const PYTHON = `
import json

from pontedeldiavolo.web.exchange import Asked
from pontedeldiavolo.web.protocol import Site
from pontedeldiavolo.web.store import MemoryStore

site = Site(MemoryStore())


def answer(method, path, query, body, token):
    found = site.answer(Asked(method, path, json.loads(query), body.encode(), token))
    text = found.body.decode()
    is_json = found.media.startswith("application/json")
    return json.dumps([found.status, json.loads(text) if is_json and text else text])


answer
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
  const answer = await loading;
  const [status, data] = JSON.parse(answer(method, path, JSON.stringify(query), body, token));
  /** @type {(message: unknown) => void} */ (postMessage)([number, status, data]);
});
