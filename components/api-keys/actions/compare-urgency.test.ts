import { expect, test } from 'vitest';
import { compareUrgency } from './compare-urgency.ts';

test('of open rotation requests, reports of a leak come first, then what expires sooner', () => {
  const soon = '2026-11-28T10:00:00.000+00:00';
  const late = '2026-11-30T10:00:00.000+00:00';
  const requests = [
    { reason: 'lost', expires_at: late },
    { reason: 'scheduled', expires_at: soon },
    { reason: 'leaked', expires_at: late },
    { reason: 'leaked', expires_at: soon },
  ] as const;
  expect(requests.toSorted(compareUrgency)).toEqual([
    requests[3],
    requests[2],
    requests[1],
    requests[0],
  ]);
});
