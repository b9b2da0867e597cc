import { expect, test } from 'vitest';
import { createClient } from './create-client.ts';
import { listen } from './listen.ts';

test('a token that no header can carry is refused at once, and no error quotes it', async () => {
  const given = { baseUrl: 'http://127.0.0.1:1', token: 'API_KEY=\nsk_live_abc' };
  const refusal = 'The token contains a line break or another character that no token has.';
  expect(() => createClient(given)).toThrow(new TypeError(refusal));
  const options = { webhook: '1', to: 'http://127.0.0.1:1', print: () => undefined };
  await expect(listen({ ...given, ...options, signal: AbortSignal.abort() })).rejects.toThrow(
    refusal,
  );
});
