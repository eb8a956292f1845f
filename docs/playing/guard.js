// @ts-check
/* Say why the page cannot start, and how to go on. This script is for every browser, also for those
   that do not know the modules of main.js. */
(() => {
  const words = {
    en: {
      file: "This page needs a web server. In the folder of the documentation, start one with “python -m http.server” and open http://localhost:8000/_static/play/index.html. ",
      old: "This browser is too old for this page. A current version of Firefox, Chrome, Edge or Safari can show it. ",
      way: "How to play on your own machine",
      page: "../../howto/play.html",
    },
    de: {
      file: "Diese Seite braucht einen Webserver. Starte ihn im Ordner der Dokumentation mit „python -m http.server“; dann findest du sie unter http://localhost:8000/_static/play/index.html. ",
      old: "Dieser Browser ist zu alt für diese Seite. Aktuelle Versionen von Firefox, Chrome, Edge und Safari können sie zeigen. ",
      way: "So spielst du auf deinem eigenen Rechner",
      page: "../../de/spielen.html",
    },
  };
  let reason = "";
  if (location.protocol === "file:") reason = "file";
  else if (
    !("noModule" in document.createElement("script")) ||
    typeof WebAssembly !== "object" ||
    typeof Worker !== "function" ||
    typeof TransformStream !== "function"
  )
    reason = "old";
  const message = document.getElementById("message");
  if (!reason || !message) return;
  const isGerman = navigator.language.slice(0, 2) === "de";
  const said = isGerman ? words.de : words.en;
  document.documentElement.lang = isGerman ? "de" : "en";
  // main.js does not begin.
  document.documentElement.dataset["obstacle"] = reason;
  message.textContent = reason === "file" ? said.file : said.old;
  const link = document.createElement("a");
  link.href = said.page;
  link.textContent = said.way;
  message.appendChild(link);
})();
