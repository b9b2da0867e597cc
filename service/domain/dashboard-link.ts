import type { Context } from '../context.ts';

/** The address of a page of an account in the dashboard, for mails. `page` as in `settings/webhooks/7`. */
export function dashboardLink(
  { config }: Pick<Context, 'config'>,
  accountId: string,
  page: string,
): string {
  return `${config.publicUrl.origin}/a/${accountId}/${page}`;
}
