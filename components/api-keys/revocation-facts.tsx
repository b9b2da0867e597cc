import type { Fact } from '#components/ui/facts.tsx';
import { ExactTime } from '#components/ui/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { LastUse } from './last-use.tsx';
import { MaskedToken } from './masked-token.tsx';

const LATELY_MS = 7 * 86_400_000;

/** Whether something may stop when this key ends. */
export function isUsedLately({ last_used_at: at }: ApiKey, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) < LATELY_MS;
}

/** What a person knows before they end a key. */
export function revocationFacts(apiKey: ApiKey, now: Date): Fact[] {
  const { previous_token: older } = apiKey;
  const hasOlder = older !== null && Date.parse(older.valid_until) > now.getTime();
  return [
    {
      label: 'Last used',
      value: <LastUse at={apiKey.last_used_at} from={apiKey.last_used_ip} />,
    },
    {
      label: hasOlder ? 'Tokens that end' : 'Token that ends',
      value: (
        <>
          <MaskedToken lastFour={apiKey.last_four} />
          {hasOlder && (
            <>
              {' '}
              and <MaskedToken lastFour={older.last_four} form="short" />
            </>
          )}
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
