// @ts-check
// Run buttons below examples. Python is loaded at the first click; it runs in a worker, so that the
// page stays responsive and a reader can stop it.
(() => {
  /** @typedef {{root: HTMLElement | null, kind: string, original: string, area: HTMLTextAreaElement | null}} Block */
  /** @typedef {{output: string, isCut: boolean, isEarlier: boolean}} Result */

  /** The number of bytes to load; the build writes it here. */
  const BYTES = Number("@bytes@");
  const WORDS = {
    en: {
      run: "Run",
      stop: "Stop",
      edit: "Edit",
      reset: "Reset",
      code: "Code",
      output: "Output",
      loading: "Loading Python: {loaded} of {all} MB, once.",
      running: "Running …",
      done: "Done.",
      silent: "Done; it prints nothing.",
      earlier: "An earlier example of this page fails, so this one did not run:",
      cut: "The output is longer; its first 10,000 characters are shown.",
      stopped: "Stopped. The next run begins with the first example of the page.",
      failed: "Python could not be loaded. Check your connection and run the example again.",
      file: "Examples run only in pages from a web server. In the folder of these pages, start one with: python -m http.server",
      old: "This browser is too old to run Python. A current version of Firefox, Chrome, Edge or Safari can.",
    },
    de: {
      run: "Ausführen",
      stop: "Anhalten",
      edit: "Bearbeiten",
      reset: "Zurücksetzen",
      code: "Code",
      output: "Ausgabe",
      loading: "Python wird geladen: {loaded} von {all} MB, nur beim ersten Mal.",
      running: "Läuft …",
      done: "Fertig.",
      silent: "Fertig, ohne Ausgabe.",
      earlier: "Dieses Beispiel wurde nicht ausgeführt, weil ein früheres dieser Seite scheitert:",
      cut: "Die Ausgabe ist länger; gezeigt sind die ersten 10.000 Zeichen.",
      stopped: "Angehalten. Der nächste Lauf beginnt mit dem ersten Beispiel der Seite.",
      failed: "Python ließ sich nicht laden. Prüfe die Verbindung und führe das Beispiel noch einmal aus.",
      file: "Beispiele laufen nur auf Seiten, die von einem Webserver kommen. Starte ihn im Ordner dieser Seiten mit: python -m http.server",
      old: "Dieser Browser ist zu alt für Python. Aktuelle Versionen von Firefox, Chrome, Edge und Safari können es.",
    },
  };
  const words = document.documentElement.lang === "de" ? WORDS.de : WORDS.en;
  const base = new URL(document.documentElement.dataset["content_root"] ?? "./", location.href);

  /** @type {Worker | null} */
  let worker = null;
  let last = 0;
  /** @type {((result: Result | null) => void) | null} */
  let waiting = null;
  /** @type {(text: string) => void} */
  let tell = () => {};

  /** Return why no worker can start here, or an empty text. */
  function obstacle() {
    if (location.protocol === "file:") return words.file;
    if (!window.Worker || typeof WebAssembly !== "object" || !window.TransformStream) return words.old;
    return "";
  }

  /**
   * End the wait for a result.
   *
   * @param {Result | null} result
   */
  function finish(result) {
    const then = waiting;
    waiting = null;
    then?.(result);
  }

  /** End the worker. */
  function stop() {
    worker?.terminate();
    worker = null;
    finish(null);
  }

  /** Return the worker; start it if none runs. */
  function started() {
    if (worker) return worker;
    const made = new Worker(new URL("_static/play/worker.js", base), { type: "module" });
    made.addEventListener("message", ({ data: [number, status, data] }) => {
      if (number === 0) {
        const loaded = (Math.min(data, BYTES) / 1e6).toFixed(1);
        const all = (BYTES / 1e6).toFixed(1);
        const text = words.loading.replace("{loaded}", loaded).replace("{all}", all);
        tell(status === "ready" ? words.running : text);
      } else if (number === last) {
        if (status === 200) finish(data);
        else fail();
      }
    });
    made.addEventListener("error", fail);
    worker = made;
    return made;
  }

  /** Say that Python cannot be loaded. */
  function fail() {
    const said = tell;
    stop();
    said(words.failed);
  }

  /**
   * Return the code of a doctest without its prompts and outputs.
   *
   * @param {string} text
   */
  function withoutPrompts(text) {
    const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
    return `${lines.map((line) => line.slice(4)).join("\n")}\n`;
  }

  /** @type {Block[]} */
  const blocks = [];
  for (const found of document.querySelectorAll("[data-runs]")) {
    const part = /** @type {HTMLElement} */ (found);
    const kind = part.dataset["runs"] ?? "";
    const isHidden = part.localName === "script";
    const text = (isHidden ? part : part.querySelector("pre"))?.textContent ?? "";
    const original = kind === "doctest" ? withoutPrompts(text) : text;
    /** @type {Block} */
    const block = { root: isHidden ? null : part, kind, original, area: null };
    blocks.push(block);
    if (block.root) equip(block, block.root);
  }

  /**
   * Return a button.
   *
   * @param {string} text
   * @param {() => void} action
   */
  function button(text, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", action);
    return made;
  }

  /**
   * Add the tools of a block.
   *
   * @param {Block} block
   * @param {HTMLElement} root
   */
  function equip(block, root) {
    const code = /** @type {HTMLElement | null} */ (root.firstElementChild);
    const tools = document.createElement("p");
    tools.className = "runs-tools";
    const said = document.createElement("span");
    said.className = "runs-said";
    said.role = "status";
    const output = document.createElement("pre");
    output.className = "runs-output";
    output.ariaLabel = words.output;
    output.role = "region";
    output.tabIndex = 0;
    output.hidden = true;
    const runs = button(words.run, () => void start());
    const stops = button(words.stop, () => {
      stop();
      said.textContent = words.stopped;
    });
    const edits = button(words.edit, edit);
    const resets = button(words.reset, reset);
    stops.hidden = true;
    resets.hidden = true;
    tools.append(runs, stops, edits, resets, said);
    root.append(tools, output);

    /** Run the block after the earlier ones. */
    async function start() {
      const reason = obstacle();
      if (reason) {
        said.textContent = reason;
        return;
      }
      if (waiting) return;
      const upTo = blocks.slice(0, blocks.indexOf(block) + 1);
      const sent = upTo.map((each) => [each.kind, each.area?.value ?? each.original]);
      tell = (text) => {
        said.textContent = text;
      };
      tell(words.running);
      stops.hidden = false;
      runs.disabled = true;
      last += 1;
      /** @type {Promise<Result | null>} */
      const result = new Promise((resolve) => {
        waiting = resolve;
      });
      started().postMessage([last, "RUN", "", {}, JSON.stringify(sent), ""]);
      const found = await result;
      stops.hidden = true;
      runs.disabled = false;
      tell = () => {};
      if (!found) return;
      output.textContent = found.output;
      output.hidden = found.output === "";
      const parts = [found.output ? words.done : words.silent];
      if (found.isEarlier) parts[0] = words.earlier;
      if (found.isCut) parts.push(words.cut);
      said.textContent = parts.join(" ");
    }

    /** Let the reader change the code. */
    function edit() {
      if (!block.area) {
        const area = document.createElement("textarea");
        area.ariaLabel = words.code;
        area.spellcheck = false;
        area.value = block.original;
        area.rows = Math.min(30, block.original.split("\n").length);
        area.addEventListener("keydown", (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
        });
        block.area = area;
        root.prepend(area);
        if (code) code.hidden = true;
        edits.hidden = true;
        resets.hidden = false;
      }
      block.area.focus();
    }

    /** Show the original code again. */
    function reset() {
      block.area?.remove();
      block.area = null;
      if (code) code.hidden = false;
      edits.hidden = false;
      resets.hidden = true;
      output.textContent = "";
      output.hidden = true;
      said.textContent = "";
      edits.focus();
    }
  }
})();
