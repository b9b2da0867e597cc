import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { goTo } from '../pages/follow-sidebar-link.ts';

// In a browser, because it tests the dashboard as React Compiler built it.
test('a press of a link renders no other link, and the skeleton that follows renders nothing of the page that it hides', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name: key } = await givenApiKey();
  const { name: other } = await givenApiKey();
  await page.addInitScript(watchRenders);
  await page.goto('settings/api-keys');
  // The skeletons are loaded after the page.
  await page.waitForLoadState('networkidle');
  for (const name of [key, 'Team']) {
    await expect(page.getByRole('link', { name: other, exact: true })).toBeVisible();
    const pressed = page.getByRole('link', { name, exact: true }).first();
    const path = await pressed.getAttribute('href');
    const { inTheEvent, inTheTable } = await pressed.evaluate(pressLink);
    expect(inTheEvent, `by a press of ${name}`).toEqual([path]);
    expect(inTheTable, `by the skeleton after ${name}`).toEqual([]);
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    await goTo(page, 'API keys');
  }
});

/** The parts of React's internals that its developer tools read, also in a production build. */
type Fiber = {
  flags: number;
  type: unknown;
  memoizedProps: { href?: string } | null;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
};

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface is merged
  interface Window {
    /** The targets of the links that React rendered again, in order. */
    renderedLinks?: string[];
  }
}

/** Replaces the hook of React's developer tools, which React calls for each commit. */
function watchRenders(): void {
  const hasRendered = 1;
  const rendered: string[] = [];
  const visit = (fiber: Fiber) => {
    const { child, alternate } = fiber;
    // A component whose element is a link. A component without an alternate is new.
    if (alternate && fiber.flags & hasRendered && typeof fiber.type === 'function') {
      const href = child?.type === 'a' ? child.memoizedProps?.href : undefined;
      if (href !== undefined) rendered.push(href);
    }
    // The same child means that nothing below was rendered.
    if (child === alternate?.child) return;
    for (let each = child; each !== null; each = each.sibling) visit(each);
  };
  Object.assign(window, {
    renderedLinks: rendered,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => visit(root.current),
      onCommitFiberUnmount: () => undefined,
    },
  });
}

/**
 * Presses a link. Returns which links the press rendered, and which links of a table the next task
 * rendered.
 */
async function pressLink(link: Element): Promise<{ inTheEvent: string[]; inTheTable: string[] }> {
  const inTable = new Set(
    [...document.querySelectorAll('main table a')].map((each) => each.getAttribute('href')),
  );
  const rendered = window.renderedLinks ?? [];
  rendered.length = 0;
  (link as HTMLAnchorElement).click();
  // React renders what an event changed in a microtask after it.
  await Promise.resolve();
  const inTheEvent = rendered.splice(0);
  // A message that is posted later arrives later.
  const { port1, port2 } = new MessageChannel();
  port1.start();
  port2.postMessage(null);
  await new Promise((resolve) => port1.addEventListener('message', resolve, { once: true }));
  return { inTheEvent, inTheTable: rendered.filter((href) => inTable.has(href)) };
}
