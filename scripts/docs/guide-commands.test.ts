import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDocument } from '#lib/docs/documents.ts';
import { tokensOf } from '#lib/docs/markdown-tokens.ts';
import { tokenVariable } from '#lib/docs/samples.ts';
import type { TestAccount } from '#service/testing/api.ts';
import { TestApi } from '#service/testing/api.ts';
import { createTestContext } from '#service/testing/context.ts';
import type { TestContext } from '#service/testing/context.ts';
import { ApiListener } from '#service/testing/http/api-listener.ts';

/*
 * The commands and programs of the guides, carried out as they are written, in an account in which
 * the key, the webhook, the delivery and the conversation with the id 1 exist.
 */

const run = promisify(execFile);
const listener = new ApiListener();
let ctx: TestContext;
let account: TestAccount;
beforeAll(async () => {
  ctx = await createTestContext();
  const api = new TestApi(ctx);
  await listener.serve(ctx, api);
  account = await api.account();
  await account.key({ name: 'Warehouse import' });
  await account.webhook();
  const { token } = await account.key();
  await api.call('POST', '/api/v1/webhooks/1/test', { token });
  await api.call('POST', '/api/v1/conversations', { token, body: { subject: 'Order' } });
});
afterAll(async () => {
  await listener.close();
  await ctx.dispose();
});

const blocks = await Promise.all(
  ['guides/api-clients.md', 'guides/webhook-receivers.md'].map(async (file) =>
    tokensOf(await readDocument(file, baseUrl())).flatMap((token) =>
      token.type === 'code' ? [{ lang: String(token['lang']), text: String(token['text']) }] : [],
    ),
  ),
);
const commands = blocks.flat().flatMap(({ lang, text }) => commandsIn(lang, text));
const programs = blocks.flat().flatMap(({ lang, text }) => (lang === 'js' ? [text] : []));

test('the guides have commands and programs', () => {
  expect(commands.length).toBeGreaterThan(10);
  expect(programs).toHaveLength(2);
});

test.each(commands.map((command) => [command.text.split(/ -H| \\/)[0], command] as const))(
  'this command does what the guide says: %s',
  async (_name, { text, isRefused }) => {
    // A test event and a retry are possible once a minute.
    ctx.clock.advance(60_000);
    const { token } = await account.key({ mayRotateItself: true });
    // The response of such a command goes on until someone ends it.
    const isEndless = text.startsWith('curl -sN ');
    const script = `
      uuidgen() { cat /proc/sys/kernel/random/uuid; }
      curl() { command curl ${isEndless ? '--max-time 2' : ''} -w '\\n%{http_code}' "$@"; }
      ${text.replaceAll(baseUrl(), listener.url)}`;
    const env = { ...process.env, [tokenVariable]: token };
    const { stdout } = await run('sh', ['-c', script], { env }).catch(
      (error: { stdout: string }) => {
        if (isEndless) return error;
        throw error;
      },
    );
    const status = Number(stdout.split('\n').at(-1));
    if (isRefused) expect(status, stdout).toBe(401);
    else expect(Math.floor(status / 100), stdout).toBe(2);
  },
);

test('the programs page through a list, and follow one until it has nothing new', async () => {
  const { token } = await account.key();
  const lines: unknown[][] = [];
  const code = programs.join('\n').replaceAll(baseUrl(), listener.url);
  // The second declares again what the first did.
  const separated = code
    .replace('const url = new URL', '{ const url = new URL')
    .replace('} while (cursor !== null);', '} while (cursor !== null); }');
  const ended = runInNewContext(`(async () => {${separated}})()`, {
    process: { env: { [tokenVariable]: token } },
    console: { log: (...line: unknown[]) => lines.push(line) },
    fetch,
    URL,
    setTimeout() {
      throw new Error('nothing new');
    },
  }) as Promise<void>;
  await expect(ended).rejects.toThrow('nothing new');
  expect(lines).toContainEqual([1, 'Order']);
});

/** The address that the guides have in place of the local one. */
function baseUrl(): string {
  return 'http://guides.example.com';
}

/** The commands of a block; those in a terminal are followed by their response. */
function commandsIn(lang: string, text: string): { text: string; isRefused: boolean }[] {
  if (lang !== 'sh' && lang !== 'console') return [];
  const parts = lang === 'sh' ? [text] : text.split(/^\$ /m).slice(1);
  return (
    joinAssignments(parts)
      .map((part) => {
        const [command = ''] = /^(?:[A-Z]+=.*\n)?(?:.*\\\n)*.*/.exec(part) ?? [];
        return { text: command, isRefused: /^\{"(message|success":false)/m.test(part) };
      })
      // These are shortened.
      .filter((command) => !command.text.includes('…'))
  );
}

/** A command that sets a variable belongs to the one after it. */
function joinAssignments(parts: readonly string[]): string[] {
  return parts.reduce<string[]>((joined, part) => {
    const before = joined.at(-1);
    if (before === undefined || !/^[A-Z]+=.*\n$/.test(before)) return [...joined, part];
    return [...joined.slice(0, -1), before + part];
  }, []);
}
