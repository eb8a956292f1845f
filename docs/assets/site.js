// For readers with a keyboard or a screen reader: names and levels that the theme leaves out, and
// a way into code that scrolls.

const german = document.documentElement.lang === "de";
const names = {
  ".sidebar-drawer": german ? "Seiten" : "Pages",
  ".toc-drawer": german ? "Auf dieser Seite" : "On this page",
};
for (const [part, name] of Object.entries(names)) {
  document.querySelector(part)?.setAttribute("aria-label", name);
}
document.querySelectorAll("aside.footnote-list").forEach((notes, number) => {
  notes.ariaLabel = `${german ? "Fußnoten" : "Footnotes"} ${number + 1}`;
});
for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.ariaLevel = "2";

const watcher = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const scrolls of document.querySelectorAll("pre, .table-wrapper")) watcher.observe(scrolls);
