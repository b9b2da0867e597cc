import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { CreateKeyLink } from './api-keys-heading.tsx';

type NoApiKeysProps = { publicUrl: string; mayCreate: boolean };

/** Shown in an account without keys: what a key is for and how to create and try one. */
export function NoApiKeys({ publicUrl, mayCreate }: NoApiKeysProps) {
  return (
    <EmptyState
      title="No keys yet"
      actions={mayCreate ? <CreateKeyLink /> : undefined}
      example={
        <CodeBlock
          title="Try it once you have a token"
          code={[
            `curl ${publicUrl}/api/v1/conversations \\`,
            '  -H "Authorization: Bearer $MESSAGING_API_KEY" \\',
            '  -H "Accept: application/json"',
          ].join('\n')}
        />
      }
    >
      A key lets a server, app or bot call the API. Create a key for each of them, so that you can
      revoke one without stopping the others.
      {mayCreate ? '' : ' An owner or an admin can create keys.'}
    </EmptyState>
  );
}
