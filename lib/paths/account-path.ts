/** The page on which a person enters an account if the URL names no other page. */
export const firstPage = 'settings/api-keys';

/** The page on which installation support chooses an account. */
export const accountsPath = '/accounts';

/** The page on which people search all accounts that they can open. */
export const supportDeskPath = '/support';

/** The page with the rotation requests that a person made, and their outcomes. */
export const deskRequestsPath = `${supportDeskPath}/requests`;

/** The page that shows installation support the status of the installation. */
export const statusPath = `${supportDeskPath}/status`;

/** The address of a page of an account. `page`: without the account, `settings/webhooks?q=a`. */
export function accountPath(accountId: string, page: string): string {
  return `/a/${accountId}/${page}`;
}

/**
 * The account that a URL names, as it is written there; null for a URL of no account. Only the
 * service knows whether that account exists and to whom it belongs.
 */
export function accountOf(path: string): string | null {
  return /^\/a\/([^/?#]*)/.exec(path)?.[1] ?? null;
}

type PageParts = {
  /** `webhooks`; undefined outside of the settings. */
  area: string | undefined;
  /** What the page is about: an ID, or `new`. */
  id: string | undefined;
  /** The rest of it: `edit`, a tab, or the ID of an incident. */
  subpage: string | undefined;
};

/** The parts of the path of an account's page: `/a/ID/settings/AREA/ID/SUBPAGE`. */
export function pagePartsOf(path: string): PageParts {
  const [pathname = ''] = path.split(/[?#]/);
  const [, , , , area, id, subpage] = pathname.split('/');
  return { area, id, subpage };
}

/** The same area in another account: keeps a list, drops what belongs to one account only. */
export function sameArea(path: string, accountId: string): string {
  const [, area = firstPage] = /^\/a\/[^/]*\/(settings\/[^/?#]+)/.exec(path) ?? [];
  return accountPath(accountId, area);
}
