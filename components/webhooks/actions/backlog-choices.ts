import { formatCount } from '#lib/count.ts';

/** What to do with the events that happened while a webhook was inactive. */
export type Backlog = 'deliver' | 'skip';

/** The choices for this many missed events. */
export function backlogChoices(count: number) {
  const pronoun = count === 1 ? 'it' : 'them';
  return [
    {
      value: 'deliver',
      label: `Deliver ${pronoun}`,
      description: `${all(count)} sent to the URL, along with new events.`,
    },
    {
      value: 'skip',
      label: `Skip ${pronoun}`,
      description: `${none(count)} sent, and pending retries are cancelled.`,
    },
  ] as const;
}

function all(count: number): string {
  if (count === 1) return 'It is';
  return count === 2 ? 'Both are' : `All ${formatCount(count)} are`;
}

function none(count: number): string {
  if (count === 1) return 'It is not';
  return count === 2 ? 'Neither is' : 'None of them is';
}
