'use client';

import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { Section } from '#components/shell/page/section.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';

type TryApiKeyProps = { apiKey: ApiKey; now: Date; publicUrl: string };

/**
 * A curl command that works with any active key, whatever its scopes. The token must be filled in.
 */
export function TryApiKey({ apiKey, now, publicUrl }: TryApiKeyProps) {
  if (isEndedState(apiKeyState(apiKey, now))) return null;
  return (
    <Section title="Try it">
      <p className="text-pretty text-ink-2">
        Replace the masked token with the one you saved. The response describes this key.
      </p>
      <CodeBlock
        title="Get this key"
        code={[
          `curl ${publicUrl}/api/v1/api-key \\`,
          `  -H "Authorization: Bearer sk_live_…${apiKey.last_four}" \\`,
          '  -H "Accept: application/json"',
        ].join('\n')}
      />
    </Section>
  );
}
