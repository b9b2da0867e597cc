import type { Page } from '@playwright/test';

/** The places in a page, and in its browser storage, that contain this text. */
export async function tracesOf(page: Page, text: string): Promise<string[]> {
  return await page.evaluate((sought) => {
    const fields = [...document.querySelectorAll('input, textarea, select')] as HTMLInputElement[];
    const places: [string, string][] = [
      ['document', document.documentElement.outerHTML],
      ['field', fields.map(({ value }) => value).join('\n')],
      ['address', window.location.href],
      ['history', JSON.stringify(window.history.state)],
      ['local storage', JSON.stringify({ ...window.localStorage })],
      ['session storage', JSON.stringify({ ...window.sessionStorage })],
      ['cookies', document.cookie],
    ];
    return places.filter(([, held]) => held.includes(sought)).map(([name]) => name);
  }, text);
}
