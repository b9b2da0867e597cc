import { expect, test } from 'vitest';
import { failingSteps } from './failing-steps.ts';

const since = '2026-11-20T00:00:00.000+00:00';
const next = { delivery: { id: 1, uuid: 'next' }, at: '2026-11-21T12:05:00.000+00:00' };

test.each([
  ['2026-11-21', ['attempt 11-21 12:05', 'warning 11-22 12:00', 'warning 11-24 00:00']],
  ['2026-11-23', ['attempt 11-21 12:05', 'warning 11-24 00:00']],
  ['2026-11-24', ['attempt 11-21 12:05']],
])(
  'on %s the steps of a failing webhook are its next attempt, the warnings to come and its deactivation',
  (day, steps) => {
    const found = failingSteps({ failing_since: since }, next, new Date(`${day}T12:00:00Z`));
    expect(found.map(written)).toEqual([...steps, 'deactivation 11-25 00:00']);
  },
);

test('if it is unknown since when it fails, or no attempt is scheduled, the attempt has no time', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  expect(failingSteps({ failing_since: null }, null, now)).toEqual([{ kind: 'attempt', at: null }]);
  expect(failingSteps({ failing_since: null }, undefined, now)).toEqual([
    { kind: 'attempt', at: undefined },
  ]);
});

function written({ kind, at }: ReturnType<typeof failingSteps>[number]): string {
  return `${kind} ${at?.toISOString().slice(5, 16).replace('T', ' ')}`;
}
