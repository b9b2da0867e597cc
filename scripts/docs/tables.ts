import { readFileSync } from 'node:fs';
import { loadConfig } from '#service/config/load-config.ts';
import { documentationOf, settings } from '#service/config/settings.ts';
import {
  secretEnvName,
  signatureSnippet,
  snippetLanguages,
} from '#lib/contract/webhooks/signature-snippets.ts';
import { signatureVerdicts } from '#lib/contract/deliveries/signature-verdicts.ts';
import { mailPreferenceTable } from '#lib/contract/people/mail-preference-table.ts';
import { describeRetries } from '#service/domain/deliveries/retry-schedule.ts';
import { mailKinds } from '#service/mail/mail-kinds.ts';
import { databaseLimits, limitOf, limits } from '#service/limiter/limits.ts';
import { keysOf } from '#lib/object-keys.ts';

/** A table in a document, between `<!-- name -->` and `<!-- /name -->`. */
type DocumentTable = { name: string; file: string; lines: () => string[] };

export const tables: readonly DocumentTable[] = [
  { name: 'settings', file: 'docs/operations/configuration.md', lines: settingsTable },
  { name: 'mails', file: 'docs/guides/emails.md', lines: mailsTable },
  { name: 'retries', file: 'docs/guides/webhook-receivers.md', lines: retryLines },
  { name: 'snippets', file: 'docs/guides/webhook-receivers.md', lines: snippetLines },
  { name: 'verdicts', file: 'docs/guides/webhook-receivers.md', lines: verdictsTable },
  { name: 'limits', file: 'docs/limits.md', lines: limitsTable },
  {
    name: 'start command',
    file: 'docs/operations/running.md',
    lines: () => ['```sh', startCommand(), '```'],
  },
];

/** A file that has all settings as comments, with what each is and its default. */
export const settingsExample = { file: '.env.example', text: describeSettingsAsVariables };

/** @throws if the document has no place for the table */
export function insertTable(document: string, { name, file, lines }: DocumentTable): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, after] = [document.indexOf(start), document.indexOf(end)];
  if (before === -1 || after < before) throw new Error(`${file} has no ${start} … ${end}`);
  const table = ['', '', ...lines(), '', ''].join('\n');
  return document.slice(0, before + start.length) + table + document.slice(after);
}

/** What `npm start` runs, without npm. */
export function startCommand(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } };
  return scripts.start.replace(' node ', ' node_modules/.bin/node ');
}

function settingsTable(): string[] {
  return tableOf(
    ['Name', 'Default', 'What it is'],
    settings.keyof().options.map((name) => {
      const { shownDefault, description } = documentationOf(name);
      return [`\`${name}\``, shownDefault, description];
    }),
  );
}

function describeSettingsAsVariables(): string {
  const names = settings.keyof().options;
  const entries = names.map((name) => {
    const { shownDefault, description } = documentationOf(name);
    const [, value] = /^`(.*)`$/.exec(shownDefault) ?? [];
    // Some defaults follow from another setting, which they name.
    const isFixed = value !== undefined && !names.some((other) => value.includes(other));
    const isTold = !isFixed && shownDefault !== 'none';
    const comment = isTold ? `${description}. Default: ${shownDefault}` : description;
    return [...wrap(comment.replaceAll('`', '')), `#${name}=${isFixed ? value : ''}`].join('\n');
  });
  return `${[exampleHead, ...entries].join('\n\n')}\n`;
}

const exampleHead = `# All settings, each with its default. Copy this file to .env, and set those that you need.
# The service does not read .env itself: systemd (EnvironmentFile), Docker Compose (env_file) and
# Node.js (--env-file) do. \`npm run docs\` writes this file from service/config/settings.ts.`;

/** The lines of a comment of at most 100 characters each. */
function wrap(text: string): string[] {
  return text.match(/.{1,97}(?: |$)/g)?.map((line) => `# ${line.trimEnd()}`) ?? [];
}

function retryLines(): string[] {
  return [`If you do not respond with a 2xx, the service retries ${describeRetries()}.`];
}

function snippetLines(): string[] {
  return keysOf(snippetLanguages)
    .filter((language) => language !== 'openssl')
    .flatMap((language) => [
      `### ${snippetLanguages[language]}`,
      '',
      `\`\`\`${language}`,
      signatureSnippet(language, { envName: secretEnvName, url: '' }),
      '```',
      '',
    ])
    .slice(0, -1);
}

function verdictsTable(): string[] {
  return tableOf(
    ['Verdict', 'In the dashboard', 'What it means'],
    keysOf(signatureVerdicts).map((verdict) => {
      const { title, meaning } = signatureVerdicts[verdict];
      return [`\`${verdict}\``, title, meaning];
    }),
  );
}

function mailsTable(): string[] {
  return tableOf(
    ['When', 'To', 'Link', 'Can be turned off'],
    Object.values(mailKinds).map(({ when, to, link, preference }) => [
      when,
      to,
      `\`${link}\``,
      preference === null ? 'no' : `*${mailPreferenceTable[preference].label}*`,
    ]),
  );
}

function limitsTable(): string[] {
  const byDefault = loadConfig({});
  const counted = keysOf(limits).map((name) => {
    const { counts, per, size, windowSeconds, setting } = limitOf(name);
    return [name, counts, per, String(size(byDefault)), windowOf(windowSeconds), setting ?? ''];
  });
  const stored = Object.entries(databaseLimits).map(
    ([name, { counts, per, size, windowSeconds }]) => [
      name,
      counts,
      per,
      String(size),
      windowOf(windowSeconds),
      '',
    ],
  );
  return tableOf(
    ['Name', 'What it counts', 'For each', 'Size', 'Window', 'Setting'],
    [...counted, ...stored].map(([name, counts, per, size, window, setting]) => [
      `\`${name}\``,
      counts,
      per,
      Number(size).toLocaleString('en'),
      window,
      setting ? `\`${setting}\`` : 'fixed',
    ]),
  );
}

function windowOf(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? '1 hour' : `${seconds / 3600} hours`;
  return seconds === 60 ? '1 minute' : `${seconds} seconds`;
}

function tableOf(heads: string[], rows: (string | undefined)[][]): string[] {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
