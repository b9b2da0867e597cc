import { TriangleAlert } from 'lucide-react';

import { Note } from '#components/ui/feedback/note.tsx';
import type { Member } from '#lib/contract/people/members.ts';
import { countOf } from '#lib/count.ts';
import { listNames } from '#lib/list-names.ts';
import { formatDay } from '#lib/time.ts';

type MissingFactorsProps = {
  members: readonly Pick<Member, 'name' | 'second_factor'>[];
  /** The day from which a second factor is required; null if it is not chosen yet. */
  from: Date | null;
};

/** Warns about members who have no second factor. Renders nothing if all have one. */
export function MissingFactors({ members, from }: MissingFactorsProps) {
  const without = members.filter(({ second_factor: { app, passkeys } }) => !app && passkeys === 0);
  if (without.length === 0 || from === null) return null;
  return (
    <Note icon={<TriangleAlert className="text-warn-mark" />} className="text-small">
      {without.length} of {countOf(members.length, 'member has', 'members have')} no second factor:{' '}
      {listNames(
        without.map(({ name }) => name),
        { most: 3 },
      )}
      . From {formatDay(from)} they must set one up when they sign in.
    </Note>
  );
}
