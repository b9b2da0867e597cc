import { queryOptions } from '@tanstack/react-query';
import type { Session, SignedInSession } from '../../contract/people/sessions.ts';
import type { EmailChange } from '../../contract/people/email-changes.ts';
import type { MailPreferences } from '../../contract/people/mail-preferences.ts';
import { read } from '../read.ts';

type Viewer = Pick<Session, 'person' | 'account'>;

/**
 * Who is signed in now, which another tab may have changed. The query key has the person for whom
 * the page was rendered.
 */
export function sessionQuery({ person, account }: Viewer) {
  return queryOptions({
    queryKey: ['session', person.id, account.id],
    queryFn: ({ signal }) => read<Session>(account.id, 'session', signal),
  });
}

/** Where a person is signed in, the same in each account, as the browser refetches it. */
export function sessionsQuery({ person, account }: Viewer) {
  return queryOptions({
    queryKey: ['sessions', person.id],
    queryFn: ({ signal }) => read<SignedInSession[]>(account.id, 'sessions', signal),
  });
}

/** Which emails a person gets, the same in each account. */
export function mailPreferencesQuery({ person, account }: Viewer) {
  return queryOptions({
    queryKey: ['mail-preferences', person.id],
    queryFn: ({ signal }) => read<MailPreferences>(account.id, 'mail-preferences', signal),
  });
}

/** Whether a person's email is about to change, the same in each account. */
export function emailChangeQuery({ person, account }: Viewer) {
  return queryOptions({
    queryKey: ['email-change', person.id],
    queryFn: ({ signal }) => read<EmailChange>(account.id, 'email-change', signal),
  });
}
