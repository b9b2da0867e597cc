import { ButtonLink } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';

/** In the place of the form, for people whose role makes no keys. */
export function CannotCreateKey({ accountName }: { accountName: string }) {
  return (
    <EmptyState
      title="You can’t create keys"
      actions={<ButtonLink href="settings/api-keys">Go to API keys</ButtonLink>}
    >
      An owner or an admin of {accountName} can.
    </EmptyState>
  );
}
