import 'server-only';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** The folder with the Markdown files and pictures. The service names its own. */
export function docsFolder(): string {
  return process.env['DOCS_FOLDER'] ?? 'docs';
}

/** The Markdown files that are pages, by chapter and in the order of the sidebar. */
export const chapters = [
  {
    label: 'Guides',
    files: [
      'guides/api-clients.md',
      'guides/webhook-receivers.md',
      'guides/changes.md',
      'guides/admin.md',
      'guides/owner.md',
      'guides/support.md',
      'guides/incident.md',
      'guides/personal-settings.md',
      'guides/emails.md',
      'limits.md',
      'glossary.md',
    ],
  },
  {
    label: 'Operate',
    files: [
      'operations/README.md',
      'operations/running.md',
      'operations/configuration.md',
      'operations/commands.md',
      'operations/scaling.md',
      'operations/containers.md',
      'operations/systemd.md',
      'operations/proxies.md',
      'reliability.md',
    ],
  },
  {
    label: 'Security',
    files: [
      'security/README.md',
      'security/accounts-and-rights.md',
      'security/people-and-sign-in.md',
      'security/support-staff.md',
      'security/emails-and-invitations.md',
      'security/tokens-and-keys.md',
      'security/webhooks-and-deliveries.md',
      'security/browser-and-secrets.md',
      'security/data.md',
      'security/robustness.md',
      'security/for-operators.md',
      'security/asvs.md',
    ],
  },
] as const;

const served: readonly string[] = chapters.flatMap(({ files }) => files);

/** `guides/admin.md` → `/docs/guides/admin`; the README of a folder is the page of the folder. */
export function pathOfFile(file: string): string {
  return `/docs/${file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '')}`;
}

/**
 * A document as a page shows it: with the reader's base URL in place of the local one of the
 * guides, and its links leading to pages. What would lead to a file that is no page stays as text.
 */
export async function readDocument(file: string, baseUrl: string): Promise<string> {
  // Next would otherwise copy the whole project, as the folder is known only at run time.
  const path = join(/* turbopackIgnore: true */ docsFolder(), file);
  const text = await readFile(/* turbopackIgnore: true */ path, 'utf8');
  const ours = file.startsWith('guides/')
    ? text.replaceAll('http://localhost:3000/', `${baseUrl}/`)
    : text;
  return withLinksToPages(ours.replaceAll(/<!--.*?-->\n*/gs, ''), file);
}

/** @param file the file in which the links are written */
function withLinksToPages(text: string, file: string): string {
  return outsideOfCode(text, (prose) =>
    prose
      .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, label: string, target: string) => {
        if (/^(https?:|mailto:|\/|#)/.test(target)) return whole;
        const [path = '', anchor] = target.split('#');
        const to = posix.join(posix.dirname(file), path);
        if (!served.includes(to)) return label;
        return `[${label}](${pathOfFile(to)}${anchor === undefined ? '' : `#${anchor}`})`;
      })
      .replaceAll(/"(?:\.\.\/)*pictures\/([\w-]+\.png)"/g, '"/docs/pictures/$1"'),
  );
}

/** Changes a Markdown text except its blocks of code. */
function outsideOfCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```[^\n]*\n[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}
