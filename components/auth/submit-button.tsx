import { ActionButton, type ActionButtonProps } from '#components/shell/actions/action-button.tsx';

type SubmitButtonProps = Pick<ActionButtonProps, 'action' | 'children'>;

/** The button of a form for people who are not signed in yet. */
export function SubmitButton(props: SubmitButtonProps) {
  return <ActionButton {...props} type="submit" variant="primary" size="large" className="mt-2" />;
}
