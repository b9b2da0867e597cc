import { describe, expect, test } from 'vitest';
import { makeApiKey } from '../../testing/make-api-key.ts';
import { emptyDraft } from './api-key-draft.ts';
import { addSentDraft, findKeyWithSameName } from './find-key-with-same-name.ts';

const now = new Date('2026-11-20T12:00:00Z');
const draft = { ...emptyDraft, name: 'Production' };
const production = makeApiKey({ id: 1, name: 'Production' });
const staging = makeApiKey({ id: 2, name: 'Staging' });
const nothingSent = new Map();

describe('a key with the same name as a new one', () => {
  test.each([
    ['is found', 'Production', production, 1],
    ['is found regardless of the case and the white space', '  PRODUCTION ', production, 1],
    ['is found however its letters are composed', 'Cafe\u0301', { ...production, name: 'Café' }, 1],
    ['is not found by a part of its name', 'Prod', production, null],
    ['does not count if it is revoked', 'Production', { ...production, status: 'revoked' }, null],
    [
      'does not count if it has expired',
      'Production',
      { ...production, expires_at: '2026-11-20T11:59:59.000+00:00' },
      null,
    ],
  ] as const)('%s', (_, name, existing, id) => {
    const found = findKeyWithSameName([staging, existing], {
      draft: { ...draft, name },
      sent: nothingSent,
      now,
    });
    expect(found?.id ?? null).toBe(id);
  });

  test('is not looked for while the form is empty', () => {
    expect(
      findKeyWithSameName([production], { draft: emptyDraft, sent: nothingSent, now }),
    ).toBeNull();
  });
});

describe('after a draft was sent', () => {
  const sent = addSentDraft(nothingSent, draft, [staging]);

  test('the key that it created is ignored', () => {
    expect(findKeyWithSameName([production, staging], { draft, sent, now })).toBeNull();
  });

  test('that key is still ignored when the draft is sent again', () => {
    const again = addSentDraft(sent, draft, [production, staging]);
    expect(findKeyWithSameName([production, staging], { draft, sent: again, now })).toBeNull();
  });

  test('with another draft of the same name, that key is found', () => {
    const changed = { ...draft, type: 'full' as const };
    expect(findKeyWithSameName([production, staging], { draft: changed, sent, now })).toBe(
      production,
    );
  });

  test('a key that existed before is found', () => {
    const sentBeside = addSentDraft(nothingSent, draft, [production]);
    expect(findKeyWithSameName([production], { draft, sent: sentBeside, now })).toBe(production);
  });
});
