import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { countOf } from '#lib/count.ts';

/** "3 active tokens and 1 signing secret were shown to Ida"; null if none was. */
export function summarizeShown(
  { tokens, signing_secrets: secrets }: ShownSecrets,
  name: string,
): string | null {
  const counts = [
    count(tokens.length, 'active token'),
    count(secrets.length, 'signing secret'),
  ].filter((text) => text !== null);
  if (counts.length === 0) return null;
  const isOne = tokens.length + secrets.length === 1;
  return `${counts.join(' and ')} ${isOne ? 'was' : 'were'} shown to ${name}`;
}

function count(number: number, noun: string): string | null {
  return number === 0 ? null : countOf(number, noun);
}
