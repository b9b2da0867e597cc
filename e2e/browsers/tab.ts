import { expect } from '@playwright/test';
import type { Driver, ElementId } from './drivers/driver.ts';
import { pressAt, typing, withControl } from './drivers/input.ts';
import type { Role } from './drivers/roles.ts';

/** A part of a page. Each method waits for the elements that it looks for. */
export type Region = {
  /** The first element with this role, and with exactly this name if one is given. */
  inside: (role: Role, name?: string) => Region;
  sees: (role: Role, name?: string) => Promise<void>;
  lacks: (role: Role, name?: string) => Promise<void>;
  /** Waits until this part contains the text. */
  says: (text: string | RegExp) => Promise<void>;
  press: (role: Role, name?: string) => Promise<void>;
  /** Presses a field and replaces its text. */
  fill: (name: string, text: string) => Promise<void>;
  /**
   * Types a month into a date field, which starts with the month in American English. Firefox then
   * moves on to the day by itself, WebKit needs a key.
   */
  fillMonth: (name: string, month: string) => Promise<void>;
  valueOf: (name: string) => Promise<string>;
};

/** A tab, as a person uses it. */
export type Tab = Region & {
  open: (url: string) => Promise<void>;
  /** Waits until the URL ends with this. */
  isAt: (end: string | RegExp) => Promise<void>;
  paste: () => Promise<void>;
  problems: () => string[];
  close: () => Promise<void>;
};

type Step = { role: Role; name?: string | undefined };

const waiting = { timeout: 15_000, intervals: [50, 100, 200] };

export function tabOf(driver: Driver): Tab {
  return {
    ...regionOf(driver, []),
    open: driver.goTo,
    async isAt(end) {
      const pattern = typeof end === 'string' ? new RegExp(`${end}$`) : end;
      await expect.poll(driver.address, waiting).toMatch(pattern);
    },
    paste: async () => await driver.perform(withControl('v')),
    problems: driver.problems,
    close: driver.close,
  };
}

function regionOf(driver: Driver, path: readonly Step[]): Region {
  const to = (role: Role, name?: string) => [...path, { role, name }];

  async function read<Result>(
    steps: readonly Step[],
    inPage: (element: HTMLElement) => Result,
  ): Promise<Result> {
    return await driver.call(inPage, await locate(driver, steps));
  }

  async function pressPoint(steps: readonly Step[], share: number): Promise<void> {
    const point = await pointOf(driver, steps, share);
    await driver.perform(pressAt(point));
  }

  return {
    inside: (role, name) => regionOf(driver, to(role, name)),
    async sees(role, name) {
      await expect(async () => void (await locate(driver, to(role, name)))).toPass(waiting);
    },
    async lacks(role, name) {
      const steps = to(role, name);
      // An element that is removed while it is queried causes an error.
      await expect(async () => {
        expect(await findAll(driver, steps), `${inWords(steps)} is gone`).toEqual([]);
      }).toPass(waiting);
    },
    async says(text) {
      const readText = async () => await read(path, textOf).catch(String);
      const poll = expect.poll(readText, { ...waiting, message: inWords(path) });
      await (typeof text === 'string' ? poll.toContain(text) : poll.toMatch(text));
    },
    press: async (role, name) => await pressPoint(to(role, name), 0.5),
    async fill(name, text) {
      await pressPoint(to('field', name), 0.5);
      await driver.perform(withControl('a'));
      await driver.perform(typing(text));
    },
    async fillMonth(name, month) {
      // A press reaches the element below it, here the first one.
      await pressPoint(to('field', name), 0.06);
      await driver.perform(typing(month));
    },
    valueOf: async (name) => await read(to('field', name), fieldValue),
  };
}

async function findAll(driver: Driver, [step, ...rest]: readonly Step[]): Promise<ElementId[]> {
  if (step === undefined) throw new Error('The whole page is no element of it.');
  let found = await driver.find(step);
  for (const next of rest) {
    const [within] = found;
    if (within === undefined) return [];
    found = await driver.find({ ...next, within });
  }
  return found;
}

async function locate(driver: Driver, steps: readonly Step[]): Promise<ElementId> {
  const [element] = await findAll(driver, steps);
  if (element === undefined) throw new Error(`There is no ${inWords(steps)}.`);
  return element;
}

/** Where to press an element, once it no longer moves and nothing covers it. */
async function pointOf(
  driver: Driver,
  steps: readonly Step[],
  share: number,
): Promise<{ x: number; y: number }> {
  let last = '';
  const point = { x: 0, y: 0 };
  await expect(async () => {
    const element = await locate(driver, steps);
    const box = await driver.call(boxToPress, element);
    const before = last;
    last = JSON.stringify(box);
    expect(last, `${inWords(steps)} rests`).toBe(before);
    point.x = box.left + box.width * share;
    point.y = box.top + box.height / 2;
  }).toPass(waiting);
  return point;
}

function inWords(steps: readonly Step[]): string {
  const words = steps.map(({ role, name }) => (name === undefined ? role : `${role} “${name}”`));
  return words.toReversed().join(' in ');
}

// The functions below run in the page.

function textOf(element: HTMLElement): string {
  return element.innerText;
}

function fieldValue(element: HTMLElement): string {
  return (element as HTMLInputElement).value;
}

type Box = { left: number; top: number; width: number; height: number };

/**
 * The position of the element, or of its label if that covers it, after scrolling it into view. A
 * cell is covered by the element that makes its whole row clickable.
 */
function boxToPress(element: HTMLElement): Box {
  const labels = (element as HTMLInputElement).labels ?? [];
  for (const target of [element, ...labels]) {
    target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = target.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const label = hit?.closest('label');
    const around = target.matches('td') ? target.parentElement : target;
    if (around?.contains(hit) || (label && [...labels].includes(label))) {
      return { left, top, width, height };
    }
  }
  throw new Error('Something else lies over it.');
}
