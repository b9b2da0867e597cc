/** The cookie with the theme that a person chose on this device. Without it, the system decides. */
export const themeCookie = 'theme';

export type ChosenTheme = 'light' | 'dark';

export function parseTheme(text: string | undefined): ChosenTheme | undefined {
  return text === 'light' || text === 'dark' ? text : undefined;
}

/** @param cookies all cookies, as `document.cookie` has them */
export function readThemeCookie(cookies: string): ChosenTheme | undefined {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${themeCookie}=`));
  return parseTheme(found?.slice(themeCookie.length + 1));
}
