import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { apiKeyPath } from '../api-key-path.ts';

type CannotEditKeyProps = { apiKey: ApiKey; isEnded: boolean; accountName: string };

/** Shown in place of the form if the key has ended or the person's role cannot edit keys. */
export function CannotEditKey({ apiKey, isEnded, accountName }: CannotEditKeyProps) {
  const back = { href: apiKeyPath(apiKey), label: `Go to ${apiKey.name}` };
  if (!isEnded) return <CannotUseForm action="edit keys" accountName={accountName} back={back} />;
  return (
    <EmptyState
      title={`${apiKey.name} can no longer be changed`}
      actions={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
    >
      It is {apiKey.status}. Create a new key instead.
    </EmptyState>
  );
}
