import { Fragment } from 'react';
import type { Fact } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { olderTokens } from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { dayMs } from '#lib/durations.ts';
import { LastUse } from '../last-use.tsx';
import { keyLastUse } from '../token-last-use.ts';
import { MaskedToken } from '../masked-token.tsx';
import { purposeFacts } from '../purpose-facts.tsx';

const recentMs = 7 * dayMs;

/** Whether the key was used within the last week, so that something may break. */
export function wasUsedRecently({ last_used_at: at }: ApiKey, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) < recentMs;
}

/** What a person should know about a key before they revoke it. */
export function revocationFacts(apiKey: ApiKey, now: Date): Fact[] {
  const older = olderTokens(apiKey, now);
  return [
    ...purposeFacts(apiKey),
    {
      label: 'Last used',
      value: <LastUse {...keyLastUse(apiKey)} />,
    },
    {
      label: older.length > 0 ? 'Tokens that end' : 'Token that ends',
      value: (
        <>
          <MaskedToken lastFour={apiKey.last_four} />
          {older.map(({ id, last_four: lastFour }, index) => (
            <Fragment key={id}>
              {index === older.length - 1 ? ' and ' : ', '}
              <MaskedToken lastFour={lastFour} form="short" />
            </Fragment>
          ))}
        </>
      ),
    },
    {
      label: 'Created',
      value: (
        <>
          <ExactTime form="day" value={apiKey.created_at} />
          {apiKey.created_by && ` by ${apiKey.created_by.name}`}
        </>
      ),
    },
  ];
}
