import type { SearchEntry } from './site.ts';

const maxResults = 20;

/** The sections that contain every word of a search, or a word that begins with it; best first. */
export function findInDocs(entries: readonly SearchEntry[], search: string): SearchEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}

/** 0 if a word is missing. A word of the title counts more than one of the text. */
function scoreOf(
  { title, place, words: text, href }: SearchEntry,
  words: readonly string[],
): number {
  const heading = title.toLowerCase();
  const parts = [
    { text: ` ${heading}`, worth: 20 },
    { text: ` ${place.toLowerCase()}`, worth: 5 },
    { text: ` ${text}`, worth: 2 },
  ];
  const scores = words.map((word) =>
    Math.max(...parts.map((part) => (part.text.includes(` ${word}`) ? part.worth : 0))),
  );
  if (scores.some((score) => score === 0)) return 0;
  const isWhole = heading === words.join(' ');
  // Pages before their sections.
  return (
    scores.reduce((sum, score) => sum + score, href.includes('#') ? 0 : 1) + (isWhole ? 50 : 0)
  );
}
