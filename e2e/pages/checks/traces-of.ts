import type { Page } from '@playwright/test';

/** The places in a page, and in its browser storage, that contain one of these texts. */
export async function tracesOf(page: Page, ...texts: string[]): Promise<string[]> {
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
    return places
      .filter(([, held]) => sought.some((text) => held.includes(text)))
      .map(([name]) => name);
  }, texts);
}
