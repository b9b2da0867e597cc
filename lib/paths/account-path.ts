/** The page of an account that one comes to who names no other. */
export const firstPage = 'settings/api-keys';

/** Where installation support chooses an account. */
export const accountsPath = '/accounts';

/** Where people search all accounts that they can open. */
export const supportDeskPath = '/support';

/** Where they see what became of the rotations that they requested. */
export const deskRequestsPath = `${supportDeskPath}/requests`;

/** The address of a page of an account. `page`: path and query without the account, as in `settings/webhooks?q=a`. */
export function accountPath(accountId: string, page: string): string {
  return `/a/${accountId}/${page}`;
}

/**
 * The account that an address names, as it stands there; null for an address of no account. Whether
 * there is such an account, and whose it is, the service knows.
 */
export function accountOf(path: string): string | null {
  return /^\/a\/([^/?#]*)/.exec(path)?.[1] ?? null;
}

/** Where the same part of another account is: a list is, what belongs to one account alone is not. */
export function sameArea(path: string, accountId: string): string {
  const [, area = firstPage] = /^\/a\/[^/]*\/(settings\/[^/?#]+)/.exec(path) ?? [];
  return accountPath(accountId, area);
}
