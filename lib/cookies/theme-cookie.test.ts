import { expect, test } from 'vitest';
import { readThemeCookie } from './theme-cookie.ts';

test('the chosen theme is found among other cookies, and anything else is no theme', () => {
  expect(readThemeCookie('theme=dark')).toBe('dark');
  expect(readThemeCookie('mytheme=dark; theme=light; other=1')).toBe('light');
  expect(readThemeCookie('mytheme=dark')).toBeUndefined();
  expect(readThemeCookie('theme=system')).toBeUndefined();
  expect(readThemeCookie('')).toBeUndefined();
});
