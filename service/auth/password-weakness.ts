import type { MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';

/**
 * Explains to a person why the password they chose is too easy to guess; null if it is not.
 *
 * @param own words that someone who knows the person would try first: their email address, name and
 *   accounts
 */
export async function findPasswordWeakness(
  password: string,
  own: readonly string[],
): Promise<string | null> {
  loading ??= load();
  const estimator = await loading;
  const words = [...productNames, ...own.flatMap(wordsOf)];
  const { score, feedback, sequence } = estimator.check(
    password.slice(0, maxEstimatedCharacters),
    words,
  );
  if (score >= minScore) return null;
  if (sequence.some(isOwnWord)) return ownWord;
  return reasons.get(feedback.warning ?? '') ?? guessable;
}

/** From 0 to 4. 4 means 10^10 guesses or more; 3 would accept two common words and a year. */
const minScore = 4;

/** The estimate's time grows steeply with the length, and more characters never weaken it. */
const maxEstimatedCharacters = 40;

const productNames = ['conversation service', 'conversationservice', 'conversation', 'service'];

/** The first 40 characters, and each word. */
function wordsOf(text: string): string[] {
  const words = text.slice(0, maxOwnTextLength).toLowerCase();
  const each = words.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  return [words.slice(0, maxEstimatedCharacters), ...each.slice(0, 20)];
}

const maxOwnTextLength = 254;

function isOwnWord(match: MatchExtended): boolean {
  return 'dictionaryName' in match && match.dictionaryName === 'userInputs';
}

const advice = 'Use several unrelated words.';
const ownWord = `This password is made of your name, your email address, the name of your account or the name of this service. ${advice}`;
const common = `This is one of the most common passwords, or close to one. ${advice}`;
const repeats = `This password repeats itself, so it is as easy to guess as a short one. ${advice}`;
const sequence = `This password follows the keyboard, the alphabet or the digits. ${advice}`;
const dates = `This password is little more than a date. ${advice}`;
const guessable = `This password is easy to guess. ${advice}`;

/** Reasons by the pattern that weakens the password most. */
const reasons = new Map([
  ['topTen', common],
  ['topHundred', common],
  ['common', common],
  ['similarToCommon', common],
  ['userInputs', ownWord],
  ['simpleRepeat', repeats],
  ['extendedRepeat', repeats],
  ['sequences', sequence],
  ['straightRow', sequence],
  ['keyPattern', sequence],
  ['recentYears', dates],
  ['dates', dates],
]);

let loading: Promise<ZxcvbnFactory> | null = null;

/** The lists take memory and a moment, so they are loaded when the first password is chosen. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: maxEstimatedCharacters,
    // Each further substitution doubles the time.
    l33tMaxSubstitutions: 5,
  });
}
