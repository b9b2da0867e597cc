import type { InputSource } from './input.ts';
import type { Role } from './roles.ts';

/** An element of the page that is open, as the protocol names it. */
export type ElementId = string;

export type Query = {
  role: Role;
  /** Its whole accessible name; without it, any. */
  name?: string | undefined;
  within?: ElementId | undefined;
};

/** One tab of a browser in a state as new: the few commands that the journeys are made of. */
export type Driver = {
  /** Resolves once the page has loaded. */
  goTo: (url: string) => Promise<void>;
  /** What is exposed to assistive technology with this role and name, as the browser computes them. */
  find: (query: Query) => Promise<ElementId[]>;
  /** Calls a function in the page, with an element of it. */
  call: <Result>(inPage: (element: HTMLElement) => Result, element: ElementId) => Promise<Result>;
  address: () => Promise<string>;
  /** What a pointer and a keyboard do, for the browser the same as from real ones. */
  perform: (input: InputSource) => Promise<void>;
  /** What the page complained about in the console since it was opened, as far as the browser tells. */
  problems: () => string[];
  close: () => Promise<void>;
};

/** A browser that runs; it opens one tab at a time. */
export type Browser = {
  openTab: () => Promise<Driver>;
  close: () => Promise<void>;
};
