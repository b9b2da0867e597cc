import { ButtonLink } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import type { ApiKey } from '#lib/contract/api-keys.ts';

import { apiKeyPath } from '../api-key-path.ts';

type CannotEditKeyProps = { apiKey: ApiKey; isEnded: boolean; accountName: string };

/** Shown in place of the form if the key has ended or the person's role cannot edit keys. */
export function CannotEditKey({ apiKey, isEnded, accountName }: CannotEditKeyProps) {
  return (
    <EmptyState
      title={isEnded ? `${apiKey.name} can’t be changed any longer` : 'You can’t edit keys'}
      actions={<ButtonLink href={apiKeyPath(apiKey)}>Go to {apiKey.name}</ButtonLink>}
    >
      {isEnded
        ? `It is ${apiKey.status}. Create a key in its place.`
        : `An owner or an admin of ${accountName} can.`}
    </EmptyState>
  );
}
