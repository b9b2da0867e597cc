import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { setInstallationSupport } from '#lib/actions/people/account.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { useAction } from '../actions/use-action.ts';
import { ActionProblem } from '../feedback/action-problem.tsx';

type AllowInstallationSupportProps = {
  account: { id: string; name: string };
  support: InstallationSupport;
  label: string;
  description?: string;
};

/** The switch with which an owner opens the account to installation support, or closes it. */
export function AllowInstallationSupport({
  account,
  support,
  ...texts
}: AllowInstallationSupportProps) {
  const { run, ...action } = useAction();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { is_allowed: isAllowed } = support;

  function set() {
    if (action.isPending) return;
    run(() => setInstallationSupport({ body: { is_allowed: !isAllowed } }), {
      onDone: ({ data: changed }) => {
        queryClient.setQueryData(
          routeQuery(account.id, 'getInstallationSupport').queryKey,
          changed,
        );
        toast(
          changed.is_allowed
            ? `Installation support can open ${account.name}`
            : `Installation support can no longer open ${account.name}`,
        );
      },
    });
  }

  return (
    <div className="grid gap-3">
      <Switch
        {...texts}
        aria-busy={action.isPending || undefined}
        checked={action.isPending ? !isAllowed : isAllowed}
        onChange={set}
      />
      <ActionProblem
        action={action}
        notDone="The setting was not changed"
        unknown="We could not confirm whether the setting was changed"
      />
    </div>
  );
}
