import { expect } from '@playwright/test';
import { unusedPort } from '#lib/testing/loopback.ts';
import type { Browser, Driver, ElementId, Query } from './driver.ts';
import { startProcess } from './process.ts';
import { candidates } from './roles.ts';

export type WebKitPrograms = { driver: string; browser: string; display: string };

/** Starts WebKit's MiniBrowser on its own display, controlled by WebDriver. */
export async function startWebKit(programs: WebKitPrograms): Promise<Browser> {
  const display = await startProcess(
    programs.display,
    ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { says: /^(\d+)\n/m },
  );
  const port = await unusedPort();
  const origin = `http://127.0.0.1:${port}`;
  const driver = await startProcess(programs.driver, [`--port=${port}`], {
    environment: { DISPLAY: `:${display.said}`, WAYLAND_DISPLAY: '' },
  });
  await expect(async () => await ask(`${origin}/status`, 'GET')).toPass({ timeout: 30_000 });
  return {
    openTab: async () => await openTab(origin, programs.browser),
    async close() {
      await driver.end();
      await display.end();
    },
  };
}

/**
 * The key with which WebDriver encodes an element: @see https://www.w3.org/TR/webdriver2/#elements
 */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
type ElementReference = Record<typeof elementKey, ElementId>;

async function openTab(origin: string, binary: string): Promise<Driver> {
  const made = await ask(`${origin}/session`, 'POST', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
    },
  });
  const session = `${origin}/session/${(made as { sessionId: string }).sessionId}`;
  const get = async (path: string) => await ask(session + path, 'GET');
  const post = async (path: string, body: object) => await ask(session + path, 'POST', body);
  await post('/window/rect', { width: 1280, height: 860 });

  async function has(element: ElementId, { role, name }: Query): Promise<boolean> {
    const isOfRole = role === 'field' || (await get(`/element/${element}/computedrole`)) === role;
    if (!isOfRole) return false;
    return name === undefined || (await get(`/element/${element}/computedlabel`)) === name;
  }

  async function execute(script: string, ...args: unknown[]): Promise<unknown> {
    return await post('/execute/sync', { script, args });
  }

  return {
    goTo: async (url) => void (await post('/url', { url })),
    async find(query) {
      const root = query.within === undefined ? null : { [elementKey]: query.within };
      const visible = await execute(visibleBelow, root, candidates[query.role]);
      const ids = (visible as ElementReference[]).map((reference) => reference[elementKey]);
      const fits = await Promise.all(ids.map(async (id) => await has(id, query)));
      return ids.filter((_, index) => fits[index]);
    },
    async call<Result>(inPage: (element: HTMLElement) => Result, element: ElementId) {
      const script = `return (${String(inPage)})(arguments[0])`;
      return (await execute(script, { [elementKey]: element })) as Result;
    },
    address: async () => (await get('/url')) as string,
    perform: async (input) => void (await post('/actions', { actions: [input] })),
    // WebKit keeps no console log in sessions that are automated.
    problems: () => [],
    close: async () => void (await ask(session, 'DELETE')),
  };
}

const visibleBelow = `return [...(arguments[0] ?? document).querySelectorAll(arguments[1])]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }));`;

async function ask(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error((value as { message: string }).message);
  return value;
}
