import { createRequire } from 'node:module';
import type { CompatData, Identifier } from '@mdn/browser-compat-data';

/** The oldest supported browsers, as in README.md. */
const floor = { chrome: 111, firefox: 111, safari: 16.4 };
const browsers = ['chrome', 'firefox', 'safari'] as const;

const { api, javascript } = createRequire(import.meta.url)(
  '@mdn/browser-compat-data',
) as CompatData;
const builtins = javascript.builtins ?? {};

/** The methods of these are looked for by name alone, so only those that code has much to do with. */
const namedDom = ['Document', 'DOMTokenList', 'Element', 'Event', 'EventTarget', 'HTMLElement'];

const owners = [...featuresOf(builtins), ...featuresOf(api)];
const members = owners.flatMap(([owner, feature]) =>
  featuresOf(feature).map(([key, member]) => ({
    owner,
    name: key.replace(/_static$/, ''),
    isStatic: key.endsWith('_static'),
    isNew: !isSupported(feature) || !isSupported(member),
    isNamed: owner in builtins || namedDom.includes(owner),
  })),
);
const oldNames = new Set(members.filter(({ isNew }) => !isNew).map(({ name }) => name));

/** Classes that the oldest supported browsers do not have. */
export const newClasses: ReadonlySet<string> = new Set(
  owners.filter(([, feature]) => !isSupported(feature)).map(([owner]) => owner),
);

/** What they do not have of a class: `Map.groupBy`. */
export const newStatics: ReadonlySet<string> = new Set(
  members
    .filter(({ isStatic, isNew }) => isStatic && isNew)
    .map(({ owner, name }) => `${owner}.${name}`),
);

/** Methods that no object has in these browsers, each with a class that has it since. */
export const newMethods: readonly { owner: string; name: string }[] = members.filter(
  ({ isStatic, isNamed, name }) => !isStatic && isNamed && !oldNames.has(name),
);

export const iteratorMethods: ReadonlySet<string> = new Set(
  featuresOf(builtins['Iterator']).map(([name]) => name),
);

function featuresOf(feature: Identifier | undefined): [string, Identifier][] {
  const { __compat: _, ...features } = feature ?? {};
  return Object.entries(features);
}

function isSupported({ __compat: compat }: Identifier): boolean {
  if (compat === undefined) return true;
  return browsers.every((browser) =>
    [compat.support[browser] ?? []].flat().some((support) => {
      const since = Number.parseFloat((support.version_added || 'never').replace('≤', ''));
      const isPart = support.flags ?? support.prefix ?? support.alternative_name;
      return since <= floor[browser] && isPart === undefined && !support.version_removed;
    }),
  );
}
