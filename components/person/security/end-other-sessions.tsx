import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { endOtherSessions } from '#lib/actions/people/person.ts';
import type { SignedInSession } from '#lib/contract/people/sessions.ts';
import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { countSessions } from './count-sessions.ts';

type EndOtherSessionsProps = DialogClosing & {
  others: readonly SignedInSession[];
  onEnded: (message: string) => void;
};

/** The confirmation dialog before the person is signed out everywhere else. */
export function EndOtherSessions({ others, onEnded, ...dialog }: EndOtherSessionsProps) {
  const { run, ...action } = useAction();
  const latest = others[0];

  function end() {
    run(endOtherSessions, {
      onDone: ({ data }) => onEnded(`${countSessions(data.ended)} signed out.`),
    });
  }

  return (
    <ConfirmDialog
      title="Sign out everywhere else"
      sentence="This browser stays signed in. All other devices will need the password again."
      action={action}
      onConfirm={end}
      {...dialog}
    >
      <Facts
        facts={[
          { label: 'Signed out', value: countSessions(others.length) },
          ...(latest
            ? [
                {
                  label: 'Last used',
                  value: (
                    <>
                      {describeUserAgent(latest.user_agent)},{' '}
                      <RelativeTime isMidSentence value={latest.last_used_at} />
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
    </ConfirmDialog>
  );
}
