import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { ReasonToLeave } from './leave-page-dialog.tsx';

type LazyLeavePageDialogProps = {
  /** Null: the page goes on. */
  reason: ReasonToLeave | null;
};

/** Blocks the page if it can only be left; loaded after the page. */
export function LazyLeavePageDialog({ reason }: LazyLeavePageDialogProps) {
  return <Loaded shouldLoad={reason !== null} reason={reason} />;
}

const Loaded = lazyComponent<LazyLeavePageDialogProps>(async () => {
  const { LeavePageDialog } = await import('./leave-page-dialog.tsx');
  return ({ reason }) => reason && <LeavePageDialog {...reason} />;
});

type Name = Pick<Session['person'], 'name'>;

/**
 * Another person signed in in another tab, so actions here would be theirs.
 *
 * @param current who is signed in now
 * @param before whom the page was made for
 * @param href where the person who is signed in now can continue
 */
export function personChanged(current: Name, before: Name, href: string): ReasonToLeave {
  return {
    title: `${current.name} is signed in now`,
    sentence: `${current.name} signed in in another tab, so ${before.name} is no longer signed in here. Continue as ${current.name}, or sign out to sign in as ${before.name}.`,
    action: `Continue as ${current.name}`,
    href,
  };
}
