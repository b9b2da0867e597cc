import { describe, expect, test } from 'vitest';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import { makeApiKey } from '../../testing/make-api-key.ts';
import { askForGrace, replacesUnused } from './grace-question.ts';

const older = [token('7RNZ')];
const owner = { choices: [0, 3600, 5400, 604_800], choice: 86_400 };

describe('a rotation that replaces the newest token, because it is unconfirmed', () => {
  const about = { lastFour: 'fvTr', older, isReplacing: true, zone: 'UTC', ...owner };

  test('asks when the older token ends, and names its current end', () => {
    const question = askForGrace(about);
    expect(question).toEqual({
      legend: '…7RNZ ends',
      choices: [
        { seconds: 0, label: 'Now' },
        { seconds: 86_400, label: 'On 21 Nov, 11:00' },
      ],
    });
  });

  test('asks the same about several together', () => {
    const question = askForGrace({
      ...about,
      older: [...older, token('EG9N')],
    });
    expect(question).toEqual({
      legend: 'The older tokens end',
      choices: [
        { seconds: 0, label: 'Now' },
        { seconds: 86_400, label: 'At their current end times' },
      ],
    });
  });

  test('asks nothing if the person may not end tokens, because no choice would change anything', () => {
    expect(askForGrace({ ...about, choices: [3600, 86_400] })).toBeNull();
  });
});

describe('any other rotation asks when the newest token ends', () => {
  const about = { lastFour: 'fvTr', older: [], isReplacing: false, ...owner };

  test('and names it if older ones still work', () => {
    const legendOf = (others: readonly OlderToken[]) =>
      askForGrace({ ...about, older: others })?.legend;
    expect(legendOf([])).toBe('The old token ends');
    expect(legendOf(older)).toBe('…fvTr ends');
    expect(legendOf([...older, token('EG9N')])).toBe('…fvTr ends');
  });

  test('with every choice of the person in words', () => {
    expect(askForGrace(about)?.choices.map(({ label }) => label)).toEqual([
      'Now',
      'In 1 hour',
      'In 1 hour 30 minutes',
      'In 7 days',
    ]);
  });
});

describe('whether the newest token is replaced', () => {
  const newest = { ...token('fvTr'), valid_until: null };
  const unconfirmed = { since: newest.created_at, shown_to: null, undo_restores: null };
  const apiKey = makeApiKey({ tokens: [{ ...newest, unconfirmed }, token('7RNZ')] });
  const preview = [{ last_four: 'fvTr', valid_until: null, ends_now: true }];

  test('follows the service, whether it is unconfirmed or not', () => {
    const choice = 86_400;
    expect(replacesUnused(apiKey, { older, choice, preview })).toBe(true);
    const kept = [{ last_four: 'fvTr', valid_until: '2026-11-21', ends_now: false }];
    expect(replacesUnused(apiKey, { older, choice, preview: kept })).toBe(false);
  });

  test('follows whether it is unconfirmed until the service has responded, or if every token ends now', () => {
    expect(replacesUnused(apiKey, { older, choice: 86_400, preview: null })).toBe(true);
    expect(replacesUnused(apiKey, { older, choice: 0, preview })).toBe(true);
    expect(replacesUnused(apiKey, { older: [], choice: 0, preview })).toBe(false);
    const confirmed = makeApiKey({ tokens: [newest, token('7RNZ')] });
    expect(replacesUnused(confirmed, { older, choice: 0, preview })).toBe(false);
  });
});

function token(lastFour: string): OlderToken {
  return {
    id: 1,
    last_four: lastFour,
    created_at: '2026-11-20T10:00:00.000+00:00',
    created_by: { kind: 'person', id: 'ida', name: 'Ida' },
    shown_to: null,
    valid_until: '2026-11-21T11:00:00.000+00:00',
    last_used_at: null,
    last_used_ip: null,
    last_used_user_agent: null,
    unconfirmed: null,
    replaced_at: '2026-11-20T11:00:00.000+00:00',
  };
}
