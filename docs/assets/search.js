// Corrections of Sphinx's search, which scorer.js alone cannot make:
// - A page appears once, with its best result.
// - Names of the library are found by the beginnings of their words: "Elo" is not in "below".
// - Pages are ranked by the share of the query's words that they have, above all in index entries
//   and titles. So questions find pages, although no page has all of their words.
// - A synonym of a word counts a little.
// - A German query finds German pages, whatever the endings of its words.
// - Snippets are prose: pictures and links for playing on are not part of them.

const COMMON = new Set(
  (
    "a about against all allowed am an and any are as at be by can could did do does each else for from get give has have " +
    "how i if in into is it its just let like make many me mean means much must my need nobody of on one or other our " +
    "should so some still than that the their them then there here they this to too use used using very want was we what when " +
    "where which while who whose why will with work works would you your " +
    "aber als am an auf aus bei bin das dem den der des die ein eine einem einen einer es für gegen geht gibt hat ich im " +
    "in ist kann man mein mit nach oder sich sind spiel und von wann warum was welche wenn wer werden wie wird wo zu zum zur"
  ).split(" "),
);
/** How much a word counts in an index entry or the title of a page, in a heading, and in its text. */
const PLACES = { entry: 1, heading: 0.5, text: 0.2 };
/** How much a synonym of a word counts beside the word itself. */
const SYNONYM = 0.3;
/** What a German page gains from a German query, and what it loses by one in another language. */
const LANGUAGE = { gain: 24, loss: 12 };
const NO_PROSE = "svg, .play-on, .openings, .guides, .copybtn, .headerlink, table.summary";
const SCALE = 60;
/** Words that occur on fewer pages than this count as if they occurred on this many. */
const RARE = 5;
/** A page that only has words of the query is shown with at least this part of the best score for words. */
const LEAST = 0.2;

/** Words that readers use for each other; a word in two groups links them, but not their words. */
const SYNONYMS = [
  "android iphone ipad mobile phone smartphone tablet touch",
  "answer reply response",
  "asyncio async asynchronous",
  "author creator designer inventor",
  "begin start beginning",
  "beginner newcomer novice easy easier simple",
  "big large size huge",
  "broken corrupt corrupted damaged invalid",
  "browser page site website web",
  "build construct create make generate",
  "cell field square",
  "change alter modify edit",
  "check validate verify test",
  "colour color",
  "compare comparison versus vs difference different",
  "continue resume later",
  "convert transform export import",
  "crash fail failure error",
  "delete remove erase discard",
  "deploy host hosting production",
  "diagonal diagonally corner",
  "end finish finished over",
  "engine bot ai",
  "error exception fault mistake",
  "exact proven solved perfect",
  "fast quick speed performance slow slower faster",
  "forbidden illegal invalid disallowed prohibited",
  "friend somebody someone partner opponent son daughter",
  "game match",
  "hint tip advice help",
  "image picture screenshot thumbnail diagram",
  "installation install setup",
  "internet online network remote",
  "island group",
  "large maximum max limit",
  "legal allowed possible valid",
  "level difficulty strength strong stronger weak weaker easy easier hard",
  "licence license",
  "mail email send share invite link",
  "manual rulebook instructions rules",
  "memory ram",
  "mirror reflection reflect symmetry rotation rotate",
  "mouse keyboard keys",
  "move turn action ply play",
  "mute sound audio",
  "number integer index code",
  "opponent enemy",
  "original printed boxed box",
  "parse read text string",
  "piece tile stone",
  "postgres postgresql sql database",
  "position state board",
  "print printed paper",
  "random chance seed",
  "revert undo back withdraw wrong",
  "review analyse analysis analyze afterwards mistake wrong",
  "save store keep persist",
  "score point points",
  "serialise serialize serialization json",
  "simultaneous concurrent parallel thread threads",
  "spectator watch viewer",
  "tie draw drawn",
  "tutorial learn lesson exercise",
  "upload send uploaded",
  "version release upgrade",
  "wait busy slow",
  "win winner victory",
  // German words of the German pages, and English words for them.
  "anfangen fängt beginnen beginnt anfang eröffnung",
  "anleitung regeln spielregeln spielanleitung kurzregeln",
  "bibliothek library",
  "bildschirm gerät",
  "einstellen einstellungen ändern wählen auswählen",
  "ende enden endet schluss",
  "erlaubt dürfen darf verboten möglich",
  "fehler fehlermeldung fehlermeldungen error sentence",
  "fortsetzen weiterspielen gespeichert",
  "gewinnen gewinn sieg siegen",
  "größe groß maße",
  "handy smartphone telefon",
  "installieren install",
  "link verschicken senden schicken einladen einladung teilen",
  "rechner computer pc",
  "schwierigkeit schwierigkeitsgrad stufe stufen stark stärksten leicht schwer",
  "stein steine spielstein",
  "tauschen tausch kuchenregel farbwahl",
  "tipps ratschläge tricks strategie anfänger",
  "uhr schachuhr bedenkzeit",
  "zurücknehmen rückgängig zurück",
];
/** German words that no English question has; a query with one of them is German. */
const GERMAN_WORDS = new Set(
  (
    "aber als auf aus bei dürfen darf das dem den der des eine einem einen einer es für gegen geht gibt ich ist kann " +
    "kein keine mein mit nach nicht oder sich sind und viele vom von wann warum welche wenn wer werden wie wird wo zu zum zur über"
  ).split(" "),
);

const stemmer = new Stemmer();
const UMLAUTS = { ä: "a", ö: "o", ü: "u", ß: "ss" };
const ENDINGS = /(?:en|er|es|em|st|e|n|s|t)$/;
const MIN_GERMAN = 3;

/** Return a German word in lower case without umlauts and without its endings. */
function foldGerman(word) {
  let folded = word.toLowerCase().replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter]);
  for (;;) {
    const shorter = folded.replace(ENDINGS, "");
    const one = shorter.length >= MIN_GERMAN ? shorter : folded.replace(/[enst]$/, "");
    if (one === folded || one.length < MIN_GERMAN) return folded;
    folded = one;
  }
}

/** Return the words of a query or an entry that matter. */
function wordsOf(text) {
  return splitQuery(text.toLowerCase()).filter((word) => !COMMON.has(word));
}

/** For each stem, the words of its groups of synonyms. */
const synonyms = new Map();
for (const group of SYNONYMS) {
  const words = group.split(" ");
  for (const word of words) {
    const stem = stemmer.stemWord(word);
    const others = synonyms.get(stem) ?? synonyms.set(stem, new Set()).get(stem);
    for (const other of words) if (other !== word) others.add(other);
  }
}

/** How the words of each language are reduced, and which pages are in it. */
const LANGUAGES = [
  { reduce: (word) => stemmer.stemWord(word), has: (page) => !page.startsWith("de/") },
  { reduce: foldGerman, has: (page) => page.startsWith("de/") },
];
/** For each language, the index entries and titles of its pages by the reduced words that they have. */
let entries;

function prepare() {
  const { docnames, indexentries, titles } = Search._index;
  entries = LANGUAGES.map(() => new Map());
  const enter = (text, page) => {
    const language = LANGUAGES.findIndex(({ has }) => has(docnames[page]));
    const reduced = new Set(wordsOf(text).map(LANGUAGES[language].reduce));
    for (const each of reduced) {
      if (!entries[language].has(each)) entries[language].set(each, []);
      entries[language].get(each).push({ reduced, page });
    }
  };
  titles.forEach(enter);
  for (const [text, places] of Object.entries(indexentries))
    for (const [page, , isMain] of places) if (isMain) enter(text, page);
}

/**
 * Return for each page how well the entries that have a word fit the query: the largest share of
 * their words that the query has. "End of the game" fits "how does a game end" better than "save a
 * game" does.
 */
function fitsOf(word, query) {
  const fits = new Map();
  LANGUAGES.forEach(({ reduce }, language) => {
    const asked = new Set(query.map(reduce));
    for (const { reduced, page } of entries[language].get(reduce(word)) ?? []) {
      const share = [...reduced].filter((each) => asked.has(each)).length / reduced.size;
      fits.set(page, Math.max(fits.get(page) ?? 0, share));
    }
  });
  return fits;
}

/** Return the pages of a word in one of Sphinx's tables. */
function pagesOf(table, word) {
  const found = Object.hasOwn(table, word) ? table[word] : [];
  return Array.isArray(found) ? found : [found];
}

/** Return how much a word of the query counts for each page. */
function countsOf(word, query) {
  const { terms, titleterms } = Search._index;
  const stem = stemmer.stemWord(word);
  const counts = new Map();
  const raise = (page, count) => counts.set(page, Math.max(counts.get(page) ?? 0, count));
  for (const page of pagesOf(terms, stem)) raise(page, PLACES.text);
  for (const page of pagesOf(titleterms, stem)) raise(page, PLACES.heading);
  for (const [page, fit] of fitsOf(word, query)) raise(page, PLACES.entry * fit);
  return counts;
}

/** Return whether a query has a German word, or one that only German pages have. */
function isGerman(words) {
  const { docnames, terms } = Search._index;
  return words.some((word) => {
    const pages = pagesOf(terms, stemmer.stemWord(word));
    const isOnlyThere = pages.length > 0 && pages.every((page) => docnames[page].startsWith("de/"));
    return GERMAN_WORDS.has(word) || /[äöüß]/.test(word) || isOnlyThere;
  });
}

/** Return a result for each page that has a word of the query, with the share of words it has. */
function sharesOf(query) {
  if (!entries) prepare();
  const { docnames, filenames, titles } = Search._index;
  const words = [...new Set(wordsOf(query))];
  const shares = new Map();
  let whole = 0;
  for (const word of words) {
    const counts = countsOf(word, words);
    const own = counts.size;
    const add = (other, factor) => {
      for (const [page, count] of countsOf(other, [...words, other]))
        counts.set(page, Math.max(counts.get(page) ?? 0, factor * count));
    };
    for (const other of synonyms.get(stemmer.stemWord(word)) ?? []) add(other, SYNONYM);
    if (counts.size === 0) continue;
    // A word of few pages says more than a word of many.
    const weight = Math.log(1 + titles.length / Math.max(own || counts.size, RARE));
    whole += weight;
    for (const [page, count] of counts) shares.set(page, (shares.get(page) ?? 0) + weight * count);
  }
  const german = isGerman(splitQuery(query.toLowerCase()));
  return [...shares].map(([page, share]) => {
    const result = [docnames[page], titles[page], "", null, 0, filenames[page], "text"];
    result[4] = Scorer.score(result) + (SCALE * share) / whole;
    if (docnames[page].startsWith("de/")) result[4] += german ? LANGUAGE.gain : -LANGUAGE.loss;
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
