import { useState } from 'react';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import {
  secretEnvName,
  signatureSnippet,
  snippetLanguages,
  type SnippetLanguage,
} from '#lib/contract/webhooks/signature-snippets.ts';
import { keysOf } from '#lib/object-keys.ts';

/** Code with which a receiver verifies signatures. It names the variable, not the secret. */
export function VerifySignature({ url }: { url: string }) {
  const [language, setLanguage] = useState<SnippetLanguage>('node');
  return (
    <div>
      <p className="mb-1.5 text-small font-medium">Verify the signature of each delivery</p>
      <CodeBlock
        title={titleOf(language)}
        code={signatureSnippet(language, { envName: secretEnvName, url })}
        copyLabel="Copy code"
        // The code scrolls, so that the secret and the buttons of a dialog stay visible.
        className="[&_pre]:max-h-36 [&_pre]:overflow-y-auto"
        head={
          <Select
            label="Language"
            size="small"
            options={languages}
            value={language}
            onChange={setLanguage}
            className="-ml-2"
          />
        }
      />
      <p className="mt-1.5 text-small text-pretty text-ink-3">
        The code of each language was run against deliveries that this service signed.
      </p>
    </div>
  );
}

const languages = keysOf(snippetLanguages).map((value) => ({
  value,
  label: snippetLanguages[value],
}));

function titleOf(language: SnippetLanguage): string {
  return language === 'openssl'
    ? 'Signed sample with curl and openssl'
    : `Signature check for ${snippetLanguages[language]}`;
}
