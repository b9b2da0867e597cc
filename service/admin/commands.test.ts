import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAdminCommand } from './commands.ts';

test('docs/operations/commands.md lists every command with what it takes, and no other', () => {
  const path = new URL('../../docs/operations/commands.md', import.meta.url);
  const table = readFileSync(path, 'utf8').matchAll(/^\| `(?<use>[^`]+)` \|/gm);
  const documented = Array.from(table, ({ groups }) => groups?.['use']);
  expect(new Set(documented)).toEqual(new Set(usesInHelp()));
});

/** Every command but `help`, without arguments that can be left out: the page explains these. */
function usesInHelp(): string[] {
  const outcome = readAdminCommand(['help']);
  if (typeof outcome === 'function') throw new Error('help is not a command');
  const lines = outcome.text.matchAll(/^ {2}(?<use>[a-z][a-z-]*(?: <[^>]+>)*)/gm);
  const uses = Array.from(lines, ({ groups }) => groups?.['use'] ?? '');
  return uses.filter((use) => use !== 'help');
}
