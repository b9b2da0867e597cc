import { expect, test } from 'vitest';
import { dashboardRoutes, publicRoutes } from './routes.ts';

test('the summary of a route is one phrase, and its description says the rest', () => {
  const summaries = [...publicRoutes, ...dashboardRoutes].map(({ summary }) => summary);
  expect(summaries.filter((text) => text.length > 100 || text.includes('.'))).toEqual([]);
});
