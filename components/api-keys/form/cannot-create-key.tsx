import { ButtonLink } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

/** Shown in place of the form to people whose role cannot create keys. */
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
