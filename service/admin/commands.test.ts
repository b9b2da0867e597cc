import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAdminCommand } from './commands.ts';

test('docs/operations/commands.md lists every command with what it takes, and no other', () => {
  const path = new URL('../../docs/operations/commands.md', import.meta.url);
  const table = readFileSync(path, 'utf8').matchAll(/^\| `(?<use>[^`]+)` \|/gm);
  const documented = Array.from(table, ({ groups }) => groups?.['use']);
  expect(new Set(documented)).toEqual(new Set(usesInHelp()));
});

test.each(['--help', '-h'])('%s after a command shows how to use it, and runs nothing', (help) => {
  for (const args of [[help], ['Acme Ltd', help]]) {
    const outcome = readAdminCommand(['list-members', ...args]);
    expect(outcome).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/^Usage:\n {2}list-members <account> /),
    });
    expect(outcome).toHaveProperty('text', expect.not.stringContaining('create-account'));
  }
});

/** Every command but `help`, without arguments that can be left out: the page explains these. */
function usesInHelp(): string[] {
  const outcome = readAdminCommand(['help']);
  if (typeof outcome === 'function') throw new Error('help is not a command');
  const lines = outcome.text.matchAll(/^ {2}(?<use>[a-z][a-z-]*(?: <[^>]+>)*)/gm);
  const uses = Array.from(lines, ({ groups }) => groups?.['use'] ?? '');
  return uses.filter((use) => use !== 'help');
}
