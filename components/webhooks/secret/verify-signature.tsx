'use client';

import { useState } from 'react';

import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';

import { secretEnvName, signatureSnippet, type SnippetLanguage } from './signature-snippets.ts';

/**
 * Shows how a receiver verifies signatures. The code names the environment variable, not the
 * secret.
 */
export function VerifySignature({ url }: { url: string }) {
  const [language, setLanguage] = useState<SnippetLanguage>('node');
  return (
    <div>
      <p className="mb-1.5 text-small font-medium">Verify each delivery with it</p>
      <CodeBlock
        title={titles[language]}
        code={signatureSnippet(language, { envName: secretEnvName, url })}
        copyLabel="Copy code"
        // The code scrolls, so that the secret and the buttons of a dialog stay visible.
        className="[&_pre]:max-h-36 [&_pre]:overflow-y-auto"
        head={
          <Segmented
            legend="Language"
            isLegendHidden
            fit
            segments={languages}
            value={language}
            onChange={setLanguage}
            className="-ml-2.5 py-1 [&>div]:bg-transparent"
          />
        }
      />
    </div>
  );
}

const languages: readonly { value: SnippetLanguage; label: string }[] = [
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
  { value: 'openssl', label: 'curl' },
];

const titles: Record<SnippetLanguage, string> = {
  node: 'Signature check for Node',
  python: 'Signature check for Python',
  openssl: 'Signed sample with curl and openssl',
};
