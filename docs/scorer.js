// Which pages the search lists first. Index entries that a page marks with "!" beat all other
// matches; among equals, pages that teach come before pages to look things up in.

/** @type {[RegExp, number][]} */
const PREFERENCES = [
  [/^(start|howto|game)\//, 3],
  // More people play than write programs.
  [/^(howto\/play|game\/rules)$/, 2],
  [/^(reference\/api|de)\/|^explanation\/(measurements|roadmap)$/, -2],
  [/^game\/glossary$/, -20],
  [/^changelog$/, -7],
];

var Scorer = {
  score: ([page, , , , score]) =>
    PREFERENCES.reduce((sum, [pages, more]) => (pages.test(page) ? sum + more : sum), score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
