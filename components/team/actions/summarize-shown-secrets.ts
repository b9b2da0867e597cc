import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { countOf } from '#lib/count.ts';

/** "3 active tokens and 1 signing secret were shown to Ida"; null if none was. */
export function summarizeShownSecrets(
  { tokens, signing_secrets: secrets }: ShownSecrets,
  name: string,
): string | null {
  const counts = [
    count(tokens.length, 'active token'),
    count(secrets.length, 'signing secret'),
  ].filter((text) => text !== null);
  if (counts.length === 0) return null;
  const wasOrWere = isOne({ tokens, signing_secrets: secrets }) ? 'was' : 'were';
  return `${counts.join(' and ')} ${wasOrWere} shown to ${name}`;
}

/** What to do about them when the member is removed. */
export function adviseOnShownSecrets(shown: ShownSecrets, name: string): string {
  return isOne(shown)
    ? `It keeps working after the removal. Replace it if ${name} could still use it.`
    : `They keep working after the removal. Replace each one that ${name} could still use.`;
}

function isOne({ tokens, signing_secrets: secrets }: ShownSecrets): boolean {
  return tokens.length + secrets.length === 1;
}

function count(number: number, noun: string): string | null {
  return number === 0 ? null : countOf(number, noun);
}
