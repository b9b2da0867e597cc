import { countOf } from '#lib/count.ts';

/** "1 other session", "3 other sessions". */
export function countSessions(count: number): string {
  return countOf(count, 'other session');
}
