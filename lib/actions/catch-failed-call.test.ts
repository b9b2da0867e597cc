import { expect, test } from 'vitest';
import { publicUrlSetting } from '../contract/public-url-setting.ts';
import { catchFailedCall } from './catch-failed-call.ts';

test.each([
  ['that the network lost, as an outage', 'Failed to fetch', 'UNAVAILABLE'],
  [
    'that was refused because of the address, with what the service says',
    `The dashboard is at https://keys.example.com (${publicUrlSetting}).\n`,
    'FORBIDDEN',
  ],
])('reports a call %s', async (_what, text, code) => {
  const failure = await catchFailedCall(Promise.reject(new Error(text)));
  expect(failure).toMatchObject({ ok: false, code });
  if (code === 'FORBIDDEN') expect(failure).toMatchObject({ message: text.trim() });
});
