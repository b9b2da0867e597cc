import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, use, useState } from 'react';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { sameArea } from '#lib/paths/account-path.ts';
import { chooseAccount } from '#lib/actions/people/person.ts';
import { useAction } from '../actions/use-action.ts';
import { rateLimitReason } from '../feedback/rate-limit.ts';

type SwitchAccount = {
  /** Opens the same area of another account, which becomes the one the dashboard opens with. */
  switchTo: (accountId: string) => void;
  isSwitching: boolean;
  /** Why the account was not changed. Undefined: nothing failed. */
  reason: string | undefined;
};

const SwitchAccountContext = createContext<SwitchAccount | null>(null);

/** Changes the account. `AccountSwitcher` shows that it is being changed, and why it was not. */
export function SwitchAccountProvider({ children }: { children: ReactNode }) {
  const { run, isPending, failure, secondsLeft } = useAction();
  const [isLeaving, setIsLeaving] = useState(false);
  const path = usePathname();
  const { leave } = useNavigation();

  function chooseAndOpen(accountId: string) {
    run(() => chooseAccount({ body: { account: accountId } }), {
      onDone() {
        setIsLeaving(true);
        // A full page load, so that no data of one account stays in memory for the other.
        window.location.assign(sameArea(path, accountId));
      },
    });
  }

  return (
    <SwitchAccountContext
      value={{
        switchTo: (accountId) => leave(() => chooseAndOpen(accountId)),
        isSwitching: isPending || isLeaving,
        reason: failure?.message ?? rateLimitReason(secondsLeft),
      }}
    >
      {children}
    </SwitchAccountContext>
  );
}

export function useSwitchAccount(): SwitchAccount {
  const switchAccount = use(SwitchAccountContext);
  if (switchAccount === null) {
    throw new Error('useSwitchAccount must be used within SwitchAccountProvider.');
  }
  return switchAccount;
}
