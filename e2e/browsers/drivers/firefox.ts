import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBidi } from './bidi.ts';
import type { BidiConnection } from './bidi.ts';
import type { Browser, Driver, Query } from './driver.ts';
import { startProcess } from './process.ts';

const preferences = `
user_pref("ui.prefersReducedMotion", 1);
user_pref("intl.accept_languages", "en-US");
`;

/** Starts Firefox with its own profile, and controls it through its built-in BiDi. */
export async function startFirefox(program: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  await writeFile(join(profile, 'user.js'), preferences);
  const firefox = await startProcess(
    program,
    ['--headless', '--profile', profile, '--remote-debugging-port', '0'],
    { says: /WebDriver BiDi listening on (ws:\S+)/ },
  );
  const bidi = await connectBidi(`${firefox.said}/session`);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    openTab: async () => await openTab(bidi),
    async close() {
      bidi.close();
      await firefox.end();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

type Node = { sharedId: string; value: { localName: string } };
type Entry = { level: string; text: string; source?: { context?: string } };

async function openTab(bidi: BidiConnection): Promise<Driver> {
  const { userContext } = await bidi.send('browser.createUserContext', {});
  const { context } = await bidi.send('browsingContext.create', { type: 'tab', userContext });
  await bidi.send('browsingContext.setViewport', {
    context,
    viewport: { width: 1280, height: 800 },
  });
  const problems: string[] = [];
  bidi.on('log.entryAdded', (params) => {
    const { level, text, source } = params as Entry;
    if (source?.context === context && ['error', 'warn'].includes(level)) problems.push(text);
  });

  return {
    async goTo(url) {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async find({ role, name, within }: Query) {
      const { nodes } = await bidi.send('browsingContext.locateNodes', {
        context,
        locator: {
          type: 'accessibility',
          value: {
            ...(role === 'field' ? {} : { role }),
            ...(name === undefined ? {} : { name }),
          },
        },
        ...(within === undefined ? {} : { startNodes: [{ sharedId: within }] }),
      });
      const found = nodes as Node[];
      // The label of a field has the same accessible name, so it is left out.
      const fits = ({ value }: Node) => ['input', 'textarea'].includes(value.localName);
      return (role === 'field' ? found.filter(fits) : found).map(({ sharedId }) => sharedId);
    },
    async call<Result>(inPage: (element: HTMLElement) => Result, element: string) {
      const result = await bidi.send('script.callFunction', {
        // As text, because BiDi returns objects in its own format.
        functionDeclaration: `(element) => JSON.stringify([(${String(inPage)})(element)])`,
        arguments: [{ sharedId: element }],
        target: { context },
        awaitPromise: false,
      });
      return parseResult(result) as Result;
    },
    async address() {
      const { contexts } = await bidi.send('browsingContext.getTree', { root: context });
      return (contexts as { url: string }[])[0]?.url ?? '';
    },
    async perform(input) {
      await bidi.send('input.performActions', { context, actions: [input] });
    },
    problems: () => problems,
    async close() {
      await bidi.send('browser.removeUserContext', { userContext });
    },
  };
}

function parseResult(received: Record<string, unknown>): unknown {
  const { result, exceptionDetails } = received as {
    result?: { value: string };
    exceptionDetails?: { text: string };
  };
  if (result === undefined)
    throw new Error(exceptionDetails?.text ?? 'The page returned no result.');
  const [value] = JSON.parse(result.value) as [unknown];
  return value;
}
