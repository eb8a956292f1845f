// Corrections of Sphinx's search, which scorer.js alone cannot make:
// - A page appears once, with its best result.
// - Names of the library are found by the beginnings of their words: "Elo" is not in "below".
// - Pages are ranked by the share of the query's words that they have, above all in index entries
//   and titles. So questions find pages, although no page has all of their words.
// - Snippets are prose: pictures and links for playing on are not part of them.

const COMMON = new Set(
  (
    "a about against all am an and any are as at be by can could did do does for from get give has have how i in into " +
    "is it its make many me mean means my need of on one or our should so than that the their them there they this to " +
    "use used using want was we what when where which who why will with work works would you your " +
    "aber als am an auf aus bei bin das dem den der des die ein eine einem einen einer es für gegen geht gibt hat ich im " +
    "in ist kann man mein mit nach oder sich sind und von wann warum was welche wenn wer werden wie wird wo zu zum zur"
  ).split(" "),
);
/** How much a word counts in an index entry or the title of a page, in a heading, and in its text. */
const PLACES = { entry: 1, heading: 0.5, text: 0.2 };
const NO_PROSE = "svg, .play-on, .openings, .guides, .copybtn, .headerlink, table.summary";
const SCALE = 60;

const stemmer = new Stemmer();

/** Return the stems of the words that matter. */
function stemsOf(text) {
  return splitQuery(text.toLowerCase())
    .filter((word) => !COMMON.has(word))
    .map((word) => stemmer.stemWord(word));
}

/** For each stem, the pages that have it in their index entries and titles. */
let entries;

function prepareEntries() {
  entries = new Map();
  const { indexentries, titles } = Search._index;
  const add = (text, page) => {
    for (const stem of stemsOf(text)) {
      if (!entries.has(stem)) entries.set(stem, new Set());
      entries.get(stem).add(page);
    }
  };
  for (const [text, places] of Object.entries(indexentries)) {
    for (const [page, , isMain] of places) if (isMain) add(text, page);
  }
  titles.forEach(add);
}

/** Return the pages of a word in one of Sphinx's tables. */
function pagesOf(table, word) {
  const found = Object.hasOwn(table, word) ? table[word] : [];
  return Array.isArray(found) ? found : [found];
}

/** Return a result for each page that has a word of the query, with the share of words it has. */
function sharesOf(query) {
  if (!entries) prepareEntries();
  const { docnames, filenames, terms, titles, titleterms } = Search._index;
  const shares = new Map();
  let whole = 0;
  for (const stem of new Set(stemsOf(query))) {
    const counts = new Map();
    const places = [
      [PLACES.text, pagesOf(terms, stem)],
      [PLACES.heading, pagesOf(titleterms, stem)],
      [PLACES.entry, entries.get(stem) ?? []],
    ];
    for (const [count, pages] of places) for (const page of pages) counts.set(page, count);
    if (counts.size === 0) continue;
    // A word of few pages says more than a word of many.
    const weight = Math.log(1 + titles.length / counts.size);
    whole += weight;
    for (const [page, count] of counts) shares.set(page, (shares.get(page) ?? 0) + weight * count);
  }
  return [...shares].map(([page, share]) => {
    const result = [docnames[page], titles[page], "", null, 0, filenames[page], "text"];
    result[4] = Scorer.score(result) + (SCALE * share) / whole;
    return result;
  });
}

/** Return whether a query is a name of the library, or its end after a full stop. */
function isWholeName(query, name) {
  const asked = query.trim().replace(/\(\)$/, "").replace(/^pdd\./, "");
  return asked.length > 2 && `.${name}`.toLowerCase().endsWith(`.${asked.toLowerCase()}`);
}

const performSearch = Search._performSearch;
Search._performSearch = (query, ...rest) => {
  const best = new Map();
  const scores = new Map();
  for (const result of performSearch(query, ...rest)) {
    const [page, name, , , , , kind] = result;
    if (kind === SearchResultKind.object && isWholeName(query, name)) result[4] += SCALE;
    if (result[4] < (best.get(page)?.[4] ?? -Infinity)) continue;
    // An anchor at the top of a page has no text of its own.
    if (result[2] === "#index-0") result[2] = "";
    best.set(page, result);
    scores.set(page, result[4]);
  }
  for (const result of sharesOf(query)) {
    const [page] = result;
    if (best.has(page)) best.get(page)[4] = scores.get(page) + result[4];
    else if (result[4] > SCALE / 4) best.set(page, result);
  }
  // Sphinx shows the last result first.
  return [...best.values()].sort((a, b) => a[4] - b[4] || (a[1] < b[1] ? 1 : -1));
};

const performObjectSearch = Search.performObjectSearch;
Search.performObjectSearch = (word, words) =>
  performObjectSearch(word, words).filter(([, name]) => {
    const parts = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
    return name.toLowerCase().startsWith(word) || parts.split(/[._]/).some((each) => each.startsWith(word))
      || name.toLowerCase().includes(`.${word}`);
  });

const htmlToText = Search.htmlToText;
Search.htmlToText = (text, anchor) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of page.querySelectorAll(NO_PROSE)) part.remove();
  return htmlToText(page.documentElement.outerHTML, anchor).trim();
};
