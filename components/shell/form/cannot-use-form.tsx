import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

type CannotUseFormProps = {
  /** What the form does: "edit keys". */
  action: string;
  accountName: string;
  back: { href: string; label: string };
};

/** Shown in place of a form to people whose role does not allow what it does. */
export function CannotUseForm({ action, accountName, back }: CannotUseFormProps) {
  return (
    <EmptyState
      title={`You cannot ${action}`}
      actions={<ButtonLink href={back.href}>{back.label}</ButtonLink>}
    >
      An owner or an admin of {accountName} can.
    </EmptyState>
  );
}
