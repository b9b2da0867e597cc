import { sql } from 'drizzle-orm';
import type { AnyColumn } from 'drizzle-orm';
import type { LinkKind } from '#lib/contract/people/links.ts';
import type { Db } from '../../../db/open.ts';
import { passwordResets } from '../../../db/schema/people/credentials.ts';
import { invitations } from '../../../db/schema/people/members.ts';
import { emailChanges, setUpTokens } from '../../../db/schema/people/people.ts';
import { sqlInstant, sqlMilliseconds } from '../../../db/statements/instants.ts';

/** Where the digest of each kind of link is stored, and until when the link works. */
const columns: Readonly<Record<LinkKind, { digest: AnyColumn; until: AnyColumn }>> = {
  invitation: { digest: invitations.digest, until: invitations.expiresAt },
  password_reset: { digest: passwordResets.digest, until: passwordResets.expiresAt },
  email_confirmation: { digest: emailChanges.confirmDigest, until: emailChanges.confirmableUntil },
  email_revocation: { digest: emailChanges.revokeDigest, until: emailChanges.revocableUntil },
  set_up: { digest: setUpTokens.digest, until: setUpTokens.expiresAt },
};

/** Gives a link another token. Returns until when it works; null if it is no longer valid. */
export async function replaceLinkDigest(
  db: Db,
  kind: LinkKind,
  { digest, newDigest, now }: { digest: Buffer; newDigest: Buffer; now: Date },
): Promise<Date | null> {
  const { digest: column, until } = columns[kind];
  const { rows } = await db.execute<{ ends_at_ms: number }>(sql`
    update ${column.table} set ${sql.identifier(column.name)} = ${newDigest}
    where ${column} = ${digest} and ${until} > ${sqlInstant(now)}
    returning ${sqlMilliseconds(sql`${until}`)} as ends_at_ms`);
  const [row] = rows;
  return row ? new Date(row.ends_at_ms) : null;
}
