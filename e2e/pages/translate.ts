import type { Page } from '@playwright/test';

declare global {
  var translatedTexts: string[];
}

/**
 * Treats every page of this tab as translators treat pages: each text is put into a `font` element,
 * at once and after every change. Some translators move the text node there, others leave the page
 * without it.
 */
export async function translatePages(page: Page, how: 'moves' | 'replaces'): Promise<void> {
  await page.addInitScript((isMoved) => {
    globalThis.translatedTexts = [];
    const untouched = 'font, script, style, noscript, textarea, option, [translate=no]';

    function translate(text: Text) {
      const parent = text.parentElement;
      if (parent === null || text.data.trim() === '' || parent.closest(untouched)) return;
      globalThis.translatedTexts.push(text.data);
      const font = document.createElement('font');
      parent.insertBefore(font, text);
      if (isMoved) {
        font.append(text);
      } else {
        font.append(text.data);
        text.remove();
      }
    }

    function translateAll() {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translate);
    }

    const hydration = new MutationObserver(() => {
      if (document.querySelector('[data-hydrated=true]') === null) return;
      hydration.disconnect();
      translateAll();
      new MutationObserver(translateAll).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    hydration.observe(document, { subtree: true, childList: true, attributes: true });
  }, how === 'moves');
}

/** The texts that a translator was given on the page that is open. */
export async function translatedTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => globalThis.translatedTexts);
}
