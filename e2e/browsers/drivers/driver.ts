import type { InputSource } from './input.ts';
import type { Role } from './roles.ts';

/** An element of the open page, as the protocol names it. */
export type ElementId = string;

export type Query = {
  role: Role;
  /** Its whole accessible name; any if left out. */
  name?: string | undefined;
  within?: ElementId | undefined;
};

/** A tab of a browser with a new profile: the few commands that the journeys need. */
export type Driver = {
  /** Resolves once the page has loaded. */
  goTo: (url: string) => Promise<void>;
  /** The elements that have this role and name in the browser's accessibility tree. */
  find: (query: Query) => Promise<ElementId[]>;
  /** Calls a function in the page with an element as its argument. */
  call: <Result>(inPage: (element: HTMLElement) => Result, element: ElementId) => Promise<Result>;
  address: () => Promise<string>;
  /** Pointer and keyboard input, which the browser treats like real input. */
  perform: (input: InputSource) => Promise<void>;
  /**
   * Console errors and warnings of the page since it was opened, as far as the browser reports
   * them.
   */
  problems: () => string[];
  close: () => Promise<void>;
};

/** A running browser, which opens one tab at a time. */
export type Browser = {
  openTab: () => Promise<Driver>;
  close: () => Promise<void>;
};
