import { expect, test } from 'vitest';
import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { adviseOnShownSecrets, summarizeShownSecrets } from './summarize-shown-secrets.ts';

const token: ShownSecrets['tokens'][number] = {
  api_key: { id: 1, uuid: '0198c2a4-0000-7000-8000-000000000001', name: 'Server', type: 'full' },
  last_four: '8fQ2',
  last_used_at: null,
  valid_until: null,
  through: null,
};
const secret: ShownSecrets['signing_secrets'][number] = {
  webhook: { id: 1, uuid: '0198c2a4-0000-7000-8000-000000000002', name: 'Orders' },
  created_at: '2026-11-20T10:00:00.000+00:00',
  valid_until: null,
};

test.each([
  [3, 1, '3 active tokens and 1 signing secret were shown to Ida'],
  [1, 0, '1 active token was shown to Ida'],
  [0, 1, '1 signing secret was shown to Ida'],
  [1, 1, '1 active token and 1 signing secret were shown to Ida'],
  [0, 2, '2 signing secrets were shown to Ida'],
  [0, 0, null],
])('%i tokens and %i secrets: %s', (tokens, secrets, text) => {
  expect(summarizeShownSecrets(shown(tokens, secrets), 'Ida')).toBe(text);
});

test.each([
  [1, 0, 'It keeps working after the removal. Replace it if Ida could still use it.'],
  [1, 1, 'They keep working after the removal. Replace each one that Ida could still use.'],
])('the advice fits %i tokens and %i secrets', (tokens, secrets, text) => {
  expect(adviseOnShownSecrets(shown(tokens, secrets), 'Ida')).toBe(text);
});

function shown(tokens: number, secrets: number): ShownSecrets {
  return {
    tokens: Array.from({ length: tokens }, () => token),
    signing_secrets: Array.from({ length: secrets }, () => secret),
  };
}
