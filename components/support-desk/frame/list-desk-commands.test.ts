import { expect, test } from 'vitest';
import { listDeskCommands } from './list-desk-commands.ts';
import type { DeskLink } from './use-desk-links.tsx';

const link = (label: string, href: string, waiting: string | null = null): DeskLink => ({
  href,
  label,
  icon: null,
  waiting,
  opens: 'page',
});
const links = {
  support: [link('Support desk', '/support'), link('My requests', '/support/requests', '2')],
  operator: [link('Status', '/support/status')],
  recent: [link('Halden Logistics', '/a/halden/settings/api-keys')],
};
const labels = (text: string) =>
  listDeskCommands(text, links).map(
    ({ label, items }) => `${label}: ${items.map((item) => item.label).join(', ')}`,
  );

test('without a text the palette of the desk lists where its sidebar leads', () => {
  expect(labels(' ')).toEqual([
    'Recent accounts: Halden Logistics',
    'Go to: Support desk, My requests, Status',
  ]);
  expect(listDeskCommands('requests', links)[0]?.items).toMatchObject([{ detail: '2 waiting' }]);
});

test('a text finds pages and accounts by name, and can be searched for in all accounts', () => {
  expect(labels('halden ')).toEqual([
    'Recent accounts: Halden Logistics',
    'Search: Search all accounts for “halden”',
  ]);
  expect(labels('…a1b2')).toEqual(['Search: Search all accounts for “…a1b2”']);
});
