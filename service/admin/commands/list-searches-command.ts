import { countOf } from '#lib/count.ts';
import { formatApiTime } from '#lib/time.ts';
import type { DeskFinds } from '../../db/schema/people/support.ts';
import { listSearchesAsOperator } from '../../domain/support-desk/searches.ts';
import { readEmail } from './read-arguments.ts';
import { done, failed } from '../outcome.ts';
import type { AdminCommand, CommandReader } from '../outcome.ts';
import { formatTable } from './format-table.ts';

const maxListed = 200;

export const readListSearches: CommandReader = (args) => {
  if (args.length > 1) return 'list-searches takes no arguments, or one email address.';
  if (args.length === 0) return listSearches(null);
  const read = readEmail(args[0]);
  return 'reason' in read ? read.reason : listSearches(read.email);
};

function listSearches(email: string | null): AdminCommand {
  return async (ctx) => {
    const found = await listSearchesAsOperator(ctx, { email, limit: maxListed });
    if (found.kind === 'no_person') {
      return failed(`No person has the email address ${email}.`);
    }
    const { searches } = found;
    if (searches.length === 0) return done('There were no searches at the support desk.');
    const rows = searches.map(({ at, person, ip, search, found: finds }) => [
      formatApiTime(at),
      person.name,
      ip ?? '',
      search === null ? '(a token)' : `"${search}"`,
      describeFinds(finds),
    ]);
    const table = formatTable(['TIME', 'PERSON', 'FROM', 'SEARCHED FOR', 'FOUND'], rows);
    if (searches.length < maxListed) return done(table);
    return done(
      `${table}\n\nThese are the newest ${maxListed}. Older ones are in the table desk_searches.`,
    );
  };
}

function describeFinds({ accounts, keys, webhooks, deliveries, people }: DeskFinds): string {
  const parts = [
    counted(keys, 'key'),
    counted(webhooks, 'webhook'),
    counted(deliveries, 'delivery', 'deliveries'),
    counted(people, 'person', 'people'),
    counted(accounts, 'account'),
  ].flatMap((part) => part ?? []);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function counted(count: number, noun: string, nouns?: string): string | null {
  return count === 0 ? null : countOf(count, noun, nouns);
}
