import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from './drivers/driver.ts';
import { startFirefox } from './drivers/firefox.ts';
import { startWebKit } from './drivers/webkit.ts';

export const engineNames = ['firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

/** The programs that an engine needs, and their possible paths. */
const programs = {
  firefox: onPath('firefox-esr', 'firefox'),
  webDriver: onPath('WebKitWebDriver'),
  miniBrowser: globSync('/usr/{lib,lib/*,libexec}/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1),
  display: onPath('Xvfb'),
};

const needs = {
  firefox: { 'firefox-esr': programs.firefox },
  webkit: {
    'webkit2gtk-driver': programs.webDriver && programs.miniBrowser,
    xvfb: programs.display,
  },
} satisfies Record<EngineName, Record<string, string | undefined>>;

/** The Debian packages that must be installed before an engine can start. */
export function packagesMissingFor(engine: EngineName): string[] {
  return Object.entries(needs[engine]).flatMap(([name, path]) =>
    path === undefined ? [name] : [],
  );
}

export async function startEngine(engine: EngineName): Promise<Browser> {
  const { firefox, webDriver, miniBrowser, display } = programs;
  if (engine === 'firefox' && firefox) return await startFirefox(firefox);
  if (engine === 'webkit' && webDriver && miniBrowser && display) {
    return await startWebKit({ driver: webDriver, browser: miniBrowser, display });
  }
  throw new Error(`Install ${packagesMissingFor(engine).join(' and ')} first.`);
}

function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}
