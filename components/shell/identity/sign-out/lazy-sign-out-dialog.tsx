import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { SignOutDialogProps } from './sign-out-dialog.tsx';

/** After a sign-out that failed, says so and tries again; loaded after the page. */
export function LazySignOutDialog(props: SignOutDialogProps) {
  return <Loaded shouldLoad={props.signingOut.hasFailed} {...props} />;
}

const Loaded = lazyComponent<SignOutDialogProps>(async () => {
  const { SignOutDialog } = await import('./sign-out-dialog.tsx');
  return (props) => props.signingOut.hasFailed && <SignOutDialog {...props} />;
});
