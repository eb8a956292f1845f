// Corrections of Sphinx's search, which scorer.js alone cannot make:
// - A page appears once, with its best result.
// - Names of the library are found by the beginnings of their words: "Elo" is not in "below".
// - Pages are ranked by the share of the query's words that they have, above all in index entries
//   and titles. So questions find pages, although no page has all of their words.
// - Snippets are prose: pictures and links for playing on are not part of them.

const COMMON = new Set(
  (
    "a about against all allowed am an and any are as at be by can could did do does each else for from get give has have " +
    "how i if in into is it its just let like make many me mean means much must my need nobody of on one or other our " +
    "should so some still than that the their them then there here they this to too use used using very want was we what when " +
    "where which while who whose why will with work works would you your " +
    "aber als am an auf aus bei bin das dem den der des die ein eine einem einen einer es für gegen geht gibt hat ich im " +
    "in ist kann man mein mit nach oder sich sind und von wann warum was welche wenn wer werden wie wird wo zu zum zur"
  ).split(" "),
);
/** How much a word counts in an index entry or the title of a page, in a heading, and in its text. */
const PLACES = { entry: 1, heading: 0.5, text: 0.2 };
const NO_PROSE = "svg, .play-on, .openings, .guides, .copybtn, .headerlink, table.summary";
const SCALE = 60;
/** Words that occur on fewer pages than this count as if they occurred on this many. */
const RARE = 5;
/** A page that only has words of the query is shown with at least this part of the best score for words. */
const LEAST = 0.2;

const stemmer = new Stemmer();

/** Return the stems of the words that matter. */
function stemsOf(text) {
  return splitQuery(text.toLowerCase())
    .filter((word) => !COMMON.has(word))
    .map((word) => stemmer.stemWord(word));
}

/** The stems of each index entry and title, with its page. */
let entries;

function prepareEntries() {
  const { indexentries, titles } = Search._index;
  entries = titles.map((text, page) => ({ stems: new Set(stemsOf(text)), page }));
  for (const [text, places] of Object.entries(indexentries)) {
    const stems = new Set(stemsOf(text));
    for (const [page, , isMain] of places) if (isMain) entries.push({ stems, page });
  }
}

/**
 * Return for each page how well the entries that have a stem fit the query: the largest share of
 * their stems that the query has. "End of the game" fits "how does a game end" better than "save a
 * game" does.
 */
function fitsOf(stem, query) {
  const fits = new Map();
  for (const { stems, page } of entries) {
    if (!stems.has(stem)) continue;
    const share = [...stems].filter((each) => query.has(each)).length / stems.size;
    fits.set(page, Math.max(fits.get(page) ?? 0, share));
  }
  return fits;
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
  const stems = new Set(stemsOf(query));
  let whole = 0;
  for (const stem of stems) {
    const counts = new Map();
    for (const page of pagesOf(terms, stem)) counts.set(page, PLACES.text);
    for (const page of pagesOf(titleterms, stem)) counts.set(page, PLACES.heading);
    for (const [page, fit] of fitsOf(stem, stems)) {
      counts.set(page, Math.max(counts.get(page) ?? 0, PLACES.entry * fit));
    }
    if (counts.size === 0) continue;
    // A word of few pages says more than a word of many.
    const weight = Math.log(1 + titles.length / Math.max(counts.size, RARE));
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
    // Sphinx's own search of the text requires every word, and ranks the pages hardly at all.
    if (kind === SearchResultKind.text) result[4] = 0;
    if (kind === SearchResultKind.object && isWholeName(query, name)) result[4] += SCALE;
    if (result[4] < (best.get(page)?.[4] ?? -Infinity)) continue;
    // An anchor at the top of a page has no text of its own.
    if (result[2] === "#index-0") result[2] = "";
    best.set(page, result);
    scores.set(page, result[4]);
  }
  const shares = sharesOf(query);
  const least = LEAST * Math.max(...shares.map((result) => result[4]));
  for (const result of shares) {
    const [page] = result;
    if (best.has(page)) best.get(page)[4] = scores.get(page) + result[4];
    else if (result[4] >= least) best.set(page, result);
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
