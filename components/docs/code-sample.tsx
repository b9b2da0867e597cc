'use client';

import { useState } from 'react';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { keysOf } from '#lib/object-keys.ts';
import { type SampleLanguage, sampleLanguages } from '#lib/docs/samples.ts';

/** A block of code of a guide. Of a session in a terminal, only the commands are copied. */
export function CodeSample({ code, language }: { code: string; language: string }) {
  const title = languageNames[language] ?? 'Code';
  return (
    <CodeBlock
      title={title}
      code={code}
      copied={language === 'console' ? commandsIn(code) : code}
      copyLabel="Copy sample"
    />
  );
}

const languageNames: Record<string, string> = {
  sh: 'Shell',
  console: 'Shell',
  json: 'JSON',
  js: 'JavaScript',
  node: 'Node',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  java: 'Java',
  csharp: 'C#',
};

/** The lines after a prompt, with those that a backslash continues. */
function commandsIn(session: string): string {
  return (session.match(/^\$ (?:.*\\\n)*.*$/gm) ?? [])
    .map((command) => command.replace('$ ', ''))
    .join('\n');
}

/** The same call in each language. */
export function SampleTabs({ samples }: { samples: Record<SampleLanguage, string> }) {
  const [language, setLanguage] = useState<SampleLanguage>('sh');
  return (
    <CodeBlock
      title={`Sample in ${sampleLanguages[language]}`}
      code={samples[language]}
      copyLabel="Copy sample"
      head={
        <Segmented
          legend="Language"
          isLegendHidden
          fit
          segments={keysOf(sampleLanguages).map((value) => ({
            value,
            label: sampleLanguages[value],
          }))}
          value={language}
          onChange={setLanguage}
          className="-ml-2 py-1 print:hidden"
        />
      }
    />
  );
}

/** What the service responded with. A call that was recorded, or one that was just made. */
export function ResponseSample({
  title,
  status,
  body,
  note,
}: {
  title: string;
  status: number;
  body: string;
  note?: string;
}) {
  return (
    <CodeBlock
      title={title}
      code={body === '' ? 'There is no body.' : body}
      copyLabel="Copy response"
      head={
        <>
          <span>{title}</span>
          {note !== undefined && <span className="ml-auto">{note}</span>}
          <Status mark={status < 400 ? 'ok' : 'failed'} className="ml-auto text-small">
            {status}
          </Status>
        </>
      }
    />
  );
}

export function CopyPath({ path }: { path: string }) {
  return <CopyButton text={path} label="Copy path" className="print:hidden" />;
}
